import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withKithAndNodes } from '../support/kith.ts'
import { seededRandom } from '../support/random.ts'
import { openRaw } from '../support/raw-socket.ts'

withKithAndNodes((kith) => {
  test('the same key with the same body answers the first answer again and makes nothing new', async () => {
    const org = await kith.org()
    for (const [path, body] of [
      ['/contacts', { full_name: 'Ada', tags: ['a'] }],
      ['/tasks', { title: 'Call' }],
    ] as const) {
      const key = { 'idempotency-key': `one${path}` }
      const first = await org.api.post(path, body, key)
      assert.deepEqual([first.status, first.headers['idempotent-replayed']], [201, undefined])
      const before = await org.rows()
      const again = await org.api.post(path, body, key)
      assert.deepEqual([again.status, again.text], [201, first.text])
      assert.deepEqual([again.headers.location, again.headers['idempotent-replayed']], [first.headers.location, 'true'])
      assert.deepEqual(await org.rows(), before)
    }
  })

  test('the first answer is answered again also when the record has changed since', async () => {
    const org = await kith.org()
    const key = { 'idempotency-key': 'k' }
    const first = await org.api.post('/contacts', { full_name: 'Ada' }, key)
    await org.api.patch(`/contacts/${first.body.id}`, { full_name: 'Eve' })
    assert.equal((await org.api.post('/contacts', { full_name: 'Ada' }, key)).text, first.text)
  })

  test('other bytes, or another path, under the same key is 422 at Idempotency-Key', async () => {
    const org = await kith.org()
    const key = { 'idempotency-key': 'k' }
    await org.api.post('/contacts', '{"full_name":"Ada"}', key)
    for (const [path, body] of [
      ['/contacts', '{"full_name":"Eve"}'],
      ['/contacts', '{"full_name": "Ada"}'],
      ['/tasks', '{"title":"Ada"}'],
    ] as const) {
      await org.finds([['Idempotency-Key', 'not_allowed']], () => org.api.post(path, body, key))
    }
  })

  test('a key has 1 to 255 printable characters', async () => {
    const org = await kith.org()
    const send = (key: string) => org.api.post('/contacts', { full_name: 'A' }, { 'idempotency-key': key })
    for (const key of ['x', 'x'.repeat(255), 'a b', '~!"']) assert.equal((await send(key)).status, 201, key)
    for (const key of ['x'.repeat(256), 'a\tb', 'ä']) {
      await org.finds([['Idempotency-Key', 'bad_format']], () => send(key))
    }
  })

  test('only a 201 is kept: a refused request may be corrected and sent again under its key', async () => {
    const org = await kith.org()
    const key = { 'idempotency-key': 'k' }
    await org.finds([['', 'required']], () => org.api.post('/contacts', {}, key))
    await org.finds([['contact_id', 'not_found']], () => org.api.post('/tasks', { title: 'A', contact_id: 'x' }, key))
    assert.equal((await org.api.post('/contacts', { full_name: 'A' }, key)).status, 201)
  })

  test('a key is one of its token: the same key of another token or org makes a new record', async () => {
    const [org, other] = [await kith.org(), await kith.org()]
    const key = { 'idempotency-key': 'k' }
    const ids = new Set<string>()
    for (const { api } of [org, await org.token(), other]) {
      const { status, headers, body } = await api.post('/contacts', { full_name: 'A' }, key)
      assert.deepEqual([status, headers['idempotent-replayed']], [201, undefined])
      ids.add(body.id)
    }
    assert.equal(ids.size, 3)
  })

  test('deleting a contact erases the answers kept about it; such a key then answers 404', async () => {
    const org = await kith.org()
    const sent = { full_name: 'Ada Sentinel' }
    const { body } = await org.api.post('/contacts', sent, { 'idempotency-key': 'c' })
    await org.api.delete(`/contacts/${body.id}`)
    const kept = await kith.db.read.selectFrom('idempotency').selectAll().where('org_id', '=', org.id).execute()
    assert.ok(!JSON.stringify(kept).includes('Sentinel'))
    assert.deepEqual(
      kept.map(({ answer }) => answer),
      [null],
    )
    await org.refuses([404, 'not_found'], () => org.api.post('/contacts', sent, { 'idempotency-key': 'c' }))
  })

  test('of many at once with one key one does the work and all get the same answer', async () => {
    const org = await kith.org()
    const key = { 'idempotency-key': 'k' }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => org.api.post('/contacts', { full_name: 'A' }, key)),
    )
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    assert.equal(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true').length, 19)
    assert.deepEqual(await org.eventNames(), ['contact.created'])
  })

  test('a connection cut at any byte and the request sent again under its key makes one record', async () => {
    const org = await kith.org()
    const random = seededRandom(8)
    for (let round = 0; round < 40; round++) {
      const body = JSON.stringify({ full_name: `Cut ${round}` })
      const key = `cut-${round}`
      const head = `POST /api/v1/contacts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${org.ownToken.token}\r\n`
      const type = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
      const bytes = `${head}Idempotency-Key: ${key}\r\n${type}\r\n${body}`
      // Half of them are sent whole: the answer is then what is lost.
      const length = random.chance(0.5) ? bytes.length : random.whole(bytes.length) + 1
      const socket = await openRaw(kith.port, bytes.slice(0, length))
      socket.destroy()
      assert.equal((await org.api.post('/contacts', body, { 'idempotency-key': key })).status, 201)
    }
    assert.equal((await org.api.get('/contacts')).body.meta.count, 40)
    assert.equal((await org.events()).length, 40)
  })

  test('after 24 hours a key is free again', async () => {
    const org = await kith.org()
    const key = { 'idempotency-key': 'k' }
    const first = await org.api.post('/contacts', { full_name: 'A' }, key)
    const age = async (hours: number) => {
      const created_at = new Date(Date.now() - hours * 3_600_000).toISOString()
      await kith.db.write((tx) =>
        tx
          .updateTable('idempotency')
          .set({ created_at })
          .where('org_id', '=', org.id)
          .execute()
          .then(() => {}),
      )
    }
    await age(23.9)
    assert.equal((await org.api.post('/contacts', { full_name: 'A' }, key)).text, first.text)
    await age(24.1)
    const second = await org.api.post('/contacts', { full_name: 'B' }, key)
    assert.deepEqual([second.status, second.headers['idempotent-replayed']], [201, undefined])
    assert.notEqual(second.body.id, first.body.id)
  })

  test('PATCH and DELETE ignore the key', async () => {
    const org = await kith.org()
    const { id } = await org.addContact()
    const key = { 'idempotency-key': 'k'.repeat(300) }
    assert.equal((await org.api.patch(`/contacts/${id}`, { full_name: 'B' }, key)).status, 200)
    assert.equal((await org.api.patch(`/contacts/${id}`, { full_name: 'C' }, key)).body.full_name, 'C')
    assert.equal((await org.api.delete(`/contacts/${id}`, key)).status, 200)
  })

  test('a repeat counts against the rate limit', async () => {
    const org = await kith.org({ hourly_limit: 3 })
    const send = () => org.api.post('/contacts', { full_name: 'A' }, { 'idempotency-key': 'k' })
    const statuses = [(await send()).status, (await send()).status, (await send()).status, (await send()).status]
    assert.deepEqual(statuses, [201, 201, 201, 429])
  })

  test('the key survives a restart', async () => {
    const org = await kith.org()
    const key = { 'idempotency-key': 'k' }
    const first = await org.api.post('/contacts', { full_name: 'A' }, key)
    await kith.kill()
    await kith.start()
    const again = await org.api.post('/contacts', { full_name: 'A' }, key)
    assert.deepEqual([again.text, again.headers['idempotent-replayed']], [first.text, 'true'])
  })
})
