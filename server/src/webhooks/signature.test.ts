import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verify } from '@octokit/webhooks-methods'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { newSigningSecret } from './secrets.ts'
import { deliveryHeaders, signBody, standardWebhookHeaders } from './signature.ts'

const CURRENT = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
const REPLACED = 'whsec_ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8='
const ID = '0198c0de-0000-7000-8000-000000000001'
const BODY =
  '{"event":"contact.created","ts":"2026-05-14T09:30:00.000Z","payload":{"contact":{"full_name":"Ada Lovelace é€😀"}}}'

// Made by another implementation (Python's hmac).
const GOLDEN = {
  current: 'sha256=14d926995a7b11a05e7629ae2b1b2e65890b935c1437d8de271c0fa6d8459f7c',
  replaced: 'sha256=14b6f5c50635b16d8e2eafed048ab8362e29da326dc9a098980bcbfeff864fef',
  standardCurrent: 'v1,T5K5ac19U3HQqxSUEin3Ly36wLeB2AoeqLE9+xOpHHQ=',
  standardReplaced: 'v1,IbaB9vFVzzUXkhrxH0pVWTT7TThqhKzLKG6vRal6FiI=',
}

const delivery = { event: 'contact.created', deliveryId: ID, timestampS: 1778751000, body: BODY, version: '1.2.3' }

test('the headers of a delivery are exactly these', () => {
  assert.deepEqual(deliveryHeaders({ ...delivery, secret: CURRENT }), {
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': 'Kith/1.2.3 (+webhooks)',
    'X-Service-Event': 'contact.created',
    'X-Service-Delivery': ID,
    'X-Service-Signature': GOLDEN.current,
    'webhook-id': ID,
    'webhook-timestamp': '1778751000',
    'webhook-signature': GOLDEN.standardCurrent,
  })
})

test('while a replaced secret lives, X-Service-Signature is by the old one and webhook-signature carries both', () => {
  const headers = deliveryHeaders({ ...delivery, secret: CURRENT, replacedSecret: REPLACED })
  assert.equal(headers['X-Service-Signature'], GOLDEN.replaced)
  assert.equal(headers['webhook-signature'], `${GOLDEN.standardCurrent} ${GOLDEN.standardReplaced}`)
})

test("receivers' ready-made libraries take either secret while both live, and no third", async () => {
  const timestampS = Math.floor(Date.now() / 1000)
  const headers = deliveryHeaders({ ...delivery, timestampS, secret: CURRENT, replacedSecret: REPLACED })
  assert.ok(await verify(REPLACED, BODY, headers['X-Service-Signature']!))
  assert.ok(!(await verify(CURRENT, BODY, headers['X-Service-Signature']!)))
  for (const secret of [CURRENT, REPLACED]) {
    assert.deepEqual(new Webhook(secret).verify(BODY, headers), JSON.parse(BODY))
  }
  assert.throws(() => new Webhook(newSigningSecret()).verify(BODY, headers), /No matching signature/)
  assert.throws(() => new Webhook(CURRENT).verify(`${BODY} `, headers), /No matching signature/)
})

test('bytes and the text they stand for have one signature', () => {
  const bytes = new TextEncoder().encode(BODY)
  assert.equal(signBody(CURRENT, bytes), GOLDEN.current)
  assert.deepEqual(
    deliveryHeaders({ ...delivery, body: bytes, secret: CURRENT }),
    deliveryHeaders({ ...delivery, secret: CURRENT }),
  )
})

test('10,000 generated bodies verify by two independent implementations', async () => {
  const secret = newSigningSecret()
  const receiver = new Webhook(secret)
  const timestampS = Math.floor(Date.now() / 1000)
  const text = fc.string({ unit: 'grapheme', maxLength: 40 })
  const contacts = fc.sample(
    fc.record({ full_name: text, company: fc.option(text), tags: fc.array(text, { maxLength: 3 }) }),
    10_000,
  )
  for (const contact of contacts) {
    const body = JSON.stringify({ event: 'contact.updated', ts: '2026-05-14T09:30:00.000Z', payload: { contact } })
    const headers = standardWebhookHeaders({ id: ID, timestampS, body, secrets: [secret] })
    assert.doesNotThrow(() => receiver.verify(body, headers, { jsonParse: false }))
    assert.ok(await verify(secret, body, signBody(secret, body)))
  }
})

test('a secret that is none is refused', () => {
  assert.throws(() => signBody('', BODY), RangeError)
  for (const secret of ['', 'whsec_', 'whsec_=', 'abc', `x${CURRENT}`, 'whsec_a b']) {
    assert.throws(() => standardWebhookHeaders({ id: ID, timestampS: 1, body: BODY, secrets: [secret] }), RangeError)
  }
})
