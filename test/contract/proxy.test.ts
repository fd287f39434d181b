import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withKith } from '../support/kith.ts'

withKith(
  (kith) => {
    test('a request that a trusted proxy reports as plain HTTP is refused: 400 bad_request', async () => {
      const org = await kith.org()
      const plain = { 'x-forwarded-proto': 'http', 'x-forwarded-for': '203.0.113.9' }
      await org.refuses([400, 'bad_request'], () => org.api.post('/contacts', { full_name: 'A' }, plain))
      const secure = { ...plain, 'x-forwarded-proto': 'https' }
      assert.equal((await org.api.post('/contacts', { full_name: 'A' }, secure)).status, 201)
    })

    test('behind a trusted proxy tokens of no key are counted by the address that it forwards', async () => {
      const send = (address: string) => {
        const from = { 'x-forwarded-for': address, 'x-forwarded-proto': 'https' }
        return kith.client.get('/api/v1/contacts', { authorization: 'Bearer x', ...from })
      }
      for (let i = 0; i < 5; i++) assert.equal((await send('203.0.113.1')).status, 401)
      assert.equal((await send('203.0.113.1')).status, 429)
      assert.equal((await send('203.0.113.2')).status, 401)
    })
  },
  { KITH_TRUST_PROXY: '127.0.0.1', KITH_BAD_TOKENS_PER_MINUTE: '5' },
)

withKith(
  (kith) => {
    test('from an address that is no proxy X-Forwarded headers do not count', async () => {
      const org = await kith.org()
      const plain = { 'x-forwarded-proto': 'http' }
      assert.equal((await org.api.post('/contacts', { full_name: 'A' }, plain)).status, 201)
      const statuses = [] as number[]
      for (let i = 0; i < 7; i++) {
        const headers = { authorization: 'Bearer x', 'x-forwarded-for': `203.0.113.${i}` }
        statuses.push((await kith.client.get('/api/v1/contacts', headers)).status)
      }
      assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429])
    })
  },
  { KITH_BAD_TOKENS_PER_MINUTE: '5' },
)
