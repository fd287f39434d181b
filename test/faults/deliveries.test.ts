import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { withKith } from '../support/kith.ts'
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

withKith((kith) => {
  let receiver: Receiver
  before(async () => {
    receiver = await startReceiver()
  })
  after(() => receiver.close())

  test('kill -9 in the middle of deliveries: what was not recorded is sent again with the same X-Service-Delivery, in order', async () => {
    const org = await kith.org()
    const hook = receiver.hook({ hangs: true })
    await org.subscribe(hook.url)
    const ids = [] as string[]
    for (let i = 0; i < 5; i++) ids.push((await org.addContact()).id)
    for (const id of ids) await org.api.patch(`/contacts/${id}`, { phone: '1' })
    const before = [...(await hook.until(5))]
    await kith.kill()
    hook.manner = {}
    await kith.start()
    await hook.until(15)
    await until('all are delivered', async () => (await org.deliveries()).every(({ state }) => state === 'delivered'))
    const after = hook.received.slice(5)
    const idOf = ({ headers }: Received) => String(headers['x-service-delivery'])
    assert.equal(after.length, 10)
    assert.deepEqual(
      before.map(idOf).filter((id) => !after.map(idOf).includes(id)),
      [],
    )
    for (const first of before) {
      assert.deepEqual(after.find((again) => idOf(again) === idOf(first))!.body, first.body)
    }
    for (const id of ids) {
      const about = after.filter(({ json }) => json.payload.contact.id === id)
      assert.deepEqual(
        about.map(({ json }) => json.event),
        ['contact.created', 'contact.updated'],
      )
    }
  })

  test('a receiver that is down loses the deliveries of that time only, each recorded; none is retried by itself', async () => {
    const org = await kith.org()
    const down = await startReceiver()
    const lost = down.hook()
    await org.subscribe(lost.url)
    await down.close()
    const { id } = await org.addContact()
    await until('it has failed', async () => (await org.deliveries())[0]?.state === 'failed')
    const back = await startReceiver(down.port)
    try {
      const hook = back.hook()
      assert.equal(hook.url, lost.url)
      await org.api.patch(`/contacts/${id}`, { phone: '1' })
      const received = await hook.until(1)
      assert.equal(received[0]!.json.event, 'contact.updated')
      const states = (await org.deliveries()).map(({ state, attempts }) => [state, attempts])
      assert.deepEqual(states[0], ['failed', 1])
      const { value } = await kith.command('webhook', 'deliveries', '--org', org.id)
      await kith.command('webhook', 'redeliver', value.at(-1).id, '--org', org.id)
      assert.equal((await hook.until(2))[1]!.json.event, 'contact.created')
    } finally {
      await back.close()
    }
  })

  test('what an import makes while the server is down is sent when it is back', async () => {
    const org = await kith.org()
    const hook = receiver.hook()
    await org.subscribe(hook.url)
    await kith.stop()
    const file = join(kith.folder, 'down.csv')
    await writeFile(file, 'full_name\nAda\nGrace\n')
    const imported = await kith.command('import', file, '--org', org.id)
    assert.equal(imported.code, 0, imported.stderr)
    await kith.start()
    const names = (await hook.until(2)).map(({ json }) => json.payload.contact.full_name)
    assert.deepEqual(names.toSorted(), ['Ada', 'Grace'])
  })
})
