import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { placesOf } from '../support/database-bytes.ts'
import { withKith } from '../support/kith.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

withKith((kith) => {
  let receiver: Receiver
  before(async () => {
    receiver = await startReceiver()
  })
  after(() => receiver.close())

  test('of a deleted contact no personal byte is left: rows, events, deliveries, kept answers, search, free pages, log', async () => {
    const org = await kith.org()
    const word = (kind: string) => `${kind}${randomBytes(8).toString('hex')}`
    const fields = {
      full_name: word('Name'),
      company: word('Company'),
      email: `${word('mail')}@example.com`,
      phone: word('Phone'),
      location: word('Place'),
      label: word('Label'),
      tags: [word('Tag')],
    }
    const said = word('Said')
    const [well, ill] = [receiver.hook({ body: said }), receiver.hook({ status: 500, body: said })]
    await org.subscribe(well.url)
    await org.subscribe(ill.url)
    const neighbours = [] as string[]
    for (let i = 0; i < 20; i++) neighbours.push((await org.addContact({ full_name: `Neighbour ${i}` })).id)
    const made = await org.api.post('/contacts', fields, { 'idempotency-key': 'k' })
    const { id } = made.body
    const later = word('Later')
    await org.api.patch(`/contacts/${id}`, { full_name: later, deal_stage: 'lead' })
    const task = await org.addTask({ contact_id: id, title: 'Task that stays' })
    await org.api.patch(`/tasks/${task.id}`, { status: 'done' })
    const texts = [...Object.values(fields).flat(), later]
    // It is there to be found, in the form that is searched for afterwards.
    assert.equal((await org.api.get(`/contacts?q=${later.toUpperCase()}`)).body.meta.count, 1)
    assert.equal(
      (await kith.db.read.selectFrom('contact').select('id').where('full_name', '=', later).execute()).length,
      1,
    )

    await org.api.delete(`/contacts/${id}`)
    const isDone = async () =>
      (await org.deliveries()).every(({ finished_at, contact_deleted }) => finished_at && !contact_deleted)
    await until('the last deliveries about it have ended and are erased', isDone)
    assert.equal((await kith.stop()).code, 0)
    if (kith.engine === 'sqlite') await kith.lookAway()
    assert.deepEqual(await placesOf(kith, texts), [])
    if (kith.engine === 'sqlite') {
      assert.notDeepEqual(
        await placesOf(kith, ['Neighbour 7', 'Task that stays']),
        [],
        'the search finds what is there',
      )
      await kith.look()
    }
    await kith.start()
    assert.equal((await org.api.get('/contacts')).body.meta.count, neighbours.length)
    const { data } = (await org.api.get('/tasks')).body
    assert.deepEqual([data[0].title, data[0].contact_id], ['Task that stays', null])
  })
})
