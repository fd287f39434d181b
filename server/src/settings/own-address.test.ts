import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownBaseUrl, plainHttpFault } from './own-address.ts'

const plain = { tls: null, allowsInsecure: false }
const tls = { certFile: '/cert.pem', keyFile: '/key.pem' }

test('plain HTTP is served on a loopback address only', () => {
  for (const host of ['127.0.0.1', '127.255.255.254', '::1', 'localhost']) {
    assert.equal(plainHttpFault({ ...plain, host }), undefined, host)
  }
  for (const host of ['0.0.0.0', '::', '128.0.0.1', '::2', '10.0.0.1', 'crm.example.com', 'localhost.example.com']) {
    assert.match(plainHttpFault({ ...plain, host }) ?? '', /loopback address only.*KITH_INSECURE_HTTP=1\.$/, host)
  }
})

test('TLS, or saying so in so many words, opens any address', () => {
  assert.equal(plainHttpFault({ ...plain, host: '0.0.0.0', tls }), undefined)
  assert.equal(plainHttpFault({ ...plain, host: '0.0.0.0', allowsInsecure: true }), undefined)
})

test('the own base address is made of scheme, host and port', () => {
  assert.equal(ownBaseUrl({ host: '127.0.0.1', tls: null }, 8080), 'http://127.0.0.1:8080')
  assert.equal(ownBaseUrl({ host: 'crm.example.com', tls }, 443), 'https://crm.example.com')
  assert.equal(ownBaseUrl({ host: '::1', tls: null }, 80), 'http://[::1]')
  assert.equal(ownBaseUrl({ host: '0.0.0.0', tls }, 8443), 'https://localhost:8443')
  assert.equal(ownBaseUrl({ host: '::', tls }, 8443), 'https://localhost:8443')
})
