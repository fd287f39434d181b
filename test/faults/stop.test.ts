import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { withKith } from '../support/kith.ts'
import { openRaw } from '../support/raw-socket.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const STOP_MS_MAX = 10_000

withKith((kith) => {
  let receiver: Receiver
  before(async () => {
    receiver = await startReceiver()
  })
  after(() => receiver.close())

  test('SIGTERM: what is in flight is answered, the next on its connection gets 503 with Connection: close, the exit code is 0', async () => {
    const org = await kith.org()
    const bearer = `Host: x\r\nAuthorization: Bearer ${org.ownToken.token}\r\n`
    const body = '{"full_name": "In flight"}'
    const type = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
    const socket = await openRaw(kith.port, `POST /api/v1/contacts HTTP/1.1\r\n${bearer}${type}${body.slice(0, 5)}`)
    let text = ''
    socket.setEncoding('latin1').on('data', (chunk) => (text += chunk))
    await org.api.get('/contacts')
    const stopped = kith.stop()
    await until('the server has begun to stop', () => kith.log.includes('"Stopping."'))
    socket.write(`${body.slice(5)}GET /api/v1/contacts HTTP/1.1\r\n${bearer}\r\n`)
    await once(socket, 'close')
    const [first, second] = text.split(/(?=HTTP\/1\.1 )/)
    assert.match(first!, /^HTTP\/1\.1 201 /)
    if (second !== undefined) {
      assert.match(second, /^HTTP\/1\.1 503 /)
      assert.match(second, /\r\nconnection: close\r\n/i)
      assert.match(second, /\r\nretry-after: \d+\r\n/i)
      assert.match(second, /\{"error":"unavailable","message":"[^"]+"\}$/)
    } else assert.match(first!, /\r\nconnection: close\r\n/i)
    const { code, ms } = await stopped
    assert.equal(code, 0)
    assert.ok(ms < STOP_MS_MAX, `${ms} ms`)
    await kith.start()
    assert.deepEqual(await org.eventNames(), ['contact.created'])
  })

  test('SIGTERM under load: every request is answered, or its connection was never served; exit code 0', async () => {
    const org = await kith.org()
    const acknowledged: string[] = []
    const odd: string[] = []
    const writers = Array.from({ length: 8 }, async () => {
      for (;;) {
        const answer = await org.api.post('/contacts', { full_name: 'A' }).catch((error) => error.code as string)
        if (typeof answer === 'string') return void (/ECONN(REFUSED|RESET)/.test(answer) || odd.push(answer))
        if (answer.status === 201) acknowledged.push(answer.body.id)
        else if (answer.status !== 503) odd.push(answer.text)
        if (answer.status === 503) return
      }
    })
    await until('writers are at work', () => acknowledged.length > 20)
    const { code } = await kith.stop()
    await Promise.all(writers)
    assert.deepEqual([code, odd], [0, []])
    await kith.start()
    const rows = await kith.db.read.selectFrom('contact').select('id').where('org_id', '=', org.id).execute()
    assert.deepEqual(rows.map(({ id }) => id).sort(), acknowledged.sort())
  })

  test('SIGTERM with a stalled upload and a hanging receiver: exit code 0 within 10 s; the delivery is sent again, with its id', async () => {
    const org = await kith.org()
    const hook = receiver.hook({ hangs: true })
    await org.subscribe(hook.url)
    await org.addContact()
    const [first] = await hook.until(1)
    const head = `POST /api/v1/contacts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${org.ownToken.token}\r\n`
    const socket = await openRaw(kith.port, `${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`)
    socket.on('error', () => {})
    const { code, ms } = await kith.stop()
    assert.equal(code, 0)
    assert.ok(ms < STOP_MS_MAX, `${ms} ms`)
    hook.manner = {}
    await kith.start()
    const [, second] = await hook.until(2)
    assert.equal(second!.headers['x-service-delivery'], first!.headers['x-service-delivery'])
    assert.deepEqual(second!.body, first!.body)
    await until('it has been delivered', async () => (await org.deliveries())[0]?.state === 'delivered')
  })
})
