import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { AddedPlaces } from '../server/src/prospecting/add-schema.ts'
import type { FoundPlaces, PlaceSource } from '../server/src/prospecting/schema.ts'
import { placesOf } from './support/database-bytes.ts'
import { done, reached, undone } from './support/imports.ts'
import { withKith } from './support/kith.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import type { Ui } from './support/ui.ts'
import { until } from './support/until.ts'

const SKOPJE = 'south=41.9&west=21.3&north=42.1&east=21.6'

withKith((kith) => {
  let receiver: Receiver
  before(async () => {
    receiver = await startReceiver()
  })
  after(() => receiver.close())

  test('50 sample places that are added are 50 contact.created at a receiver; added again, none', async () => {
    const org = await kith.org()
    const [admin, member] = [await kith.ui(org, 'admin'), await kith.ui(org)]
    const hook = receiver.hook()
    await org.subscribe(hook.url, ['contact.created'])
    const sample = await sampleOf(admin)
    assert.deepEqual([sample.places, sample.attribution], [51, '© OpenStreetMap contributors'])
    assert.deepEqual(await sampleOf(admin), sample)
    assert.equal((await member.post('/places/sample', {})).status, 403)

    const found = await search(member, sample)
    assert.equal(found.data.length, 51)
    const source_ids = found.data.slice(0, 50).map(({ source_id }) => source_id)
    const wanted = { source: sample.id, source_ids, deal_stage: 'lead', tags: ['skopje'] }
    const first: AddedPlaces = done(await member.post('/places/add', wanted))
    assert.deepEqual([first.state, first.added, first.already, first.gone], ['done', 50, [], []])
    const received = await hook.until(50)
    const names = received.map(({ json }) => json.payload.contact.company).sort()
    assert.deepEqual(
      names,
      found.data
        .slice(0, 50)
        .map(({ name }) => name)
        .sort(),
    )

    const again: AddedPlaces = done(
      await member.post('/places/add', { ...wanted, source_ids: [...source_ids, 'node/0'] }),
    )
    assert.deepEqual([again.import_id, again.added, again.already.length, again.gone], [null, 0, 50, ['node/0']])
    await org.settled()
    assert.equal(hook.received.length, 50)
    const { data } = await search(member, sample)
    const marked = data.filter(({ contact }) => contact?.reason === 'same_place')
    assert.deepEqual(marked.map(({ source_id }) => source_id).sort(), source_ids.toSorted())

    const mine = done(await member.get(`/places/contacts?${SKOPJE}&limit=2`))
    assert.deepEqual([mine.meta.count, mine.data.length], [50, 2])
    assert.equal((await undone(member, first.import_id!)).undone?.removed, 50)
    assert.equal(done(await member.get(`/places/contacts?${SKOPJE}`)).meta.count, 0)
  })

  test('what another person has uploaded, or another org has added, is not there', async () => {
    const [org, other] = [await kith.org(), await kith.org()]
    const [owner, colleague, stranger] = [await kith.ui(org), await kith.ui(org), await kith.ui(other)]
    const source = await uploaded(owner, places(3))
    const wanted = { source: source.id, source_ids: ['1', '2'] }
    for (const ui of [colleague, stranger]) {
      const refused = await ui.post('/places/add', wanted)
      const unheardOf = await ui.post('/places/add', { ...wanted, source: `upload:${crypto.randomUUID()}` })
      assert.equal(refused.status, 404)
      assert.deepEqual(refused.body, unheardOf.body)
    }
    assert.equal(done(await owner.post('/places/add', wanted)).added, 2)
    assert.equal(done(await stranger.get(`/places/contacts?${SKOPJE}`)).meta.count, 0)
    const theirs = await uploaded(stranger, places(3))
    const { data } = await search(stranger, theirs)
    assert.deepEqual(
      data.map(({ contact }) => contact),
      [null, null, null],
    )
  })

  test('what cannot be added is refused before anything is', async () => {
    const org = await kith.org()
    const ui = await kith.ui(org)
    const source = await uploaded(ui, places(2))
    const add = (body: object) => () => ui.post('/places/add', { source: source.id, source_ids: ['1'], ...body })
    const many = Array.from({ length: 501 }, (_, at) => String(at))
    await org.finds([['source_ids', 'out_of_range']], add({ source_ids: many }))
    await org.finds([['deal_stage', 'too_long']], add({ deal_stage: 'a'.repeat(65) }))
    await org.finds([['name', 'unknown_field']], add({ name: 'Mine' }))
    assert.equal(done(await add({ source_ids: ['0', '0', '1'] })()).added, 2)
  })

  test('adding that a kill broke off goes on by itself: no place is lost, none is there twice', async () => {
    const org = await kith.org()
    const ui = await kith.ui(org)
    const source = await uploaded(ui, places(500))
    const source_ids = Array.from({ length: 500 }, (_, at) => String(at))
    const answer = ui.post('/places/add', { source: source.id, source_ids }).catch(() => undefined)
    const rows = () =>
      kith.db.read.selectFrom('contact_place').select(['source_id']).where('org_id', '=', org.id).execute()
    await until('a part of it is there', async () => (await rows()).length > 0, 60_000)
    await kith.kill()
    await answer
    await kith.start()
    const [job] = done(await ui.get('/imports')).data
    await reached(ui, job.id, 'done')
    assert.deepEqual((await rows()).map(({ source_id }) => source_id).sort(), source_ids.toSorted())
    assert.equal((await org.api.get('/contacts')).body.meta.count, 500)
    const created = (await org.eventNames()).filter((name) => name === 'contact.created')
    assert.equal(created.length, 500)
    const again: AddedPlaces = done(await ui.post('/places/add', { source: source.id, source_ids }))
    assert.deepEqual([again.added, again.already.length], [0, 500])
  })

  test('of a deleted contact nothing is left of where it was found', async () => {
    const org = await kith.org()
    const ui = await kith.ui(org)
    const word = (kind: string) => `${kind}${randomBytes(8).toString('hex')}`
    const texts = [word('Name'), word('Street'), word('site')]
    const row = `7,${texts[0]},${texts[1]},https://${texts[2]}.example.com/,42,21.4`
    const source = await uploaded(ui, `id,name,address,website,latitude,longitude\n${row}\n`)
    done(await ui.post('/places/add', { source: source.id, source_ids: ['7'] }))
    done(await ui.delete(`/places/upload/${source.id.replace('upload:', '')}`))
    const [contact] = (await org.api.get('/contacts')).body.data
    assert.equal(contact.company, texts[0])
    await org.api.delete(`/contacts/${contact.id}`)
    await org.settled()
    assert.equal((await kith.stop()).code, 0)
    if (kith.engine === 'sqlite') await kith.lookAway()
    assert.deepEqual(await placesOf(kith, texts), [])
    if (kith.engine === 'sqlite') await kith.look()
    await kith.start()
  })
})

async function sampleOf(admin: Ui): Promise<PlaceSource> {
  return done(await admin.post('/places/sample', {}), 201)
}

async function search(ui: Ui, source: PlaceSource): Promise<FoundPlaces> {
  return done(await ui.get(`/places?source=${source.id}&${SKOPJE}&limit=500`))
}

async function uploaded(ui: Ui, csv: string): Promise<PlaceSource> {
  return done(await ui.post('/places/upload?name=places.csv', Buffer.from(csv), { 'content-type': 'text/csv' }), 201)
}

/** Numbered from 0, some hundred metres from each other. */
function places(count: number): string {
  const row = (at: number) => `${at},Shop ${at},${41.95 + Math.floor(at / 20) * 0.005},${21.35 + (at % 20) * 0.01}`
  return `id,name,latitude,longitude\n${Array.from({ length: count }, (_, at) => row(at)).join('\n')}\n`
}
