import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engines } from '../../../test/support/databases.ts'
import { seededRandom } from '../../../test/support/random.ts'
import { until } from '../../../test/support/until.ts'
import { type Actor, commandActor } from '../actor.ts'
import { changeContact, createContact, deleteContact, listContacts } from '../contacts/actions.ts'
import { contactFile } from '../contacts/export-actions.ts'
import { contactPageOf } from '../contacts/page-actions.ts'
import type { ContactInput } from '../contacts/schema.ts'
import type { Database } from '../database/engine.ts'
import { newId } from '../ids.ts'
import { beginUndo, getImport } from '../imports/ui-actions.ts'
import { startImportWorker } from '../imports/worker.ts'
import { createLog } from '../log.ts'
import { changeOrg, createOrg } from '../orgs/actions.ts'
import { addPlaces, takePlace } from './add-actions.ts'
import type { AddedPlaces } from './add-schema.ts'
import { contactsOnMap } from './contact-place-actions.ts'
import { recognised } from './recognition.ts'
import type { Place, PlaceSource } from './schema.ts'

const SOURCE: PlaceSource = {
  id: 'file:one',
  kind: 'file',
  name: 'Shops of Skopje',
  licence: 'ODbL 1.0',
  attribution: '© OpenStreetMap contributors',
  attribution_url: 'https://www.openstreetmap.org/copyright',
  places: null,
  box: null,
}
const OTHER_SOURCE: PlaceSource = { ...SOURCE, id: 'file:other', name: 'Another list' }

/** Five hundred metres and more from any other. */
function place(number: number, fields: Partial<Place> = {}): Place {
  return {
    source_id: `node/${number}`,
    name: `Shop ${number}`,
    category: 'shop',
    category_text: 'bakery',
    address: null,
    phone: null,
    website: null,
    email: null,
    latitude: 42 + Math.floor(number / 10) * 0.005,
    longitude: 21.4 + (number % 10) * 0.01,
    ...fields,
  }
}

const places = (count: number) => Array.from({ length: count }, (_, number) => place(number))

for (const engine of engines) {
  test(`${engine.name}: places become contacts once, each with its event, history and source`, async (t) => {
    const { add, actor, db, eventNames } = await prospecting(engine, t)
    const full = place(3, {
      address: 'Makedonija 1',
      phone: '+389 70 567295',
      website: 'https://example.com/shop',
      email: 'shop@example.com',
    })
    const found = [...places(3), full, ...places(60).slice(4)]
    const common = { deal_stage: 'lead', label: 'map', tags: ['skopje', 'bakery'] }
    const first = await add(found, common)
    assert.deepEqual([first.state, first.added, first.already, first.gone], ['done', 60, [], []])
    assert.deepEqual(await eventNames(), { 'contact.created': 60 })

    const [contact] = (await listContacts(db, actor.orgId, { limit: 1, offset: 56 })).rows
    const page = await contactPageOf(db.read, actor, contact!.id)
    const { id: _, created_at: addedAt, updated_at: __, ...fields } = page.contact
    assert.deepEqual(fields, {
      full_name: null,
      company: 'Shop 3',
      email: 'shop@example.com',
      phone: '+389 70 567295',
      location: 'Makedonija 1',
      deal_value: null,
      ...common,
    })
    const { id: ___, kind: ____, places: _____, box: ______, name: source, ...licence } = SOURCE
    assert.deepEqual(page.place, {
      source,
      source_id: 'node/3',
      ...licence,
      category: 'bakery',
      website: 'https://example.com/shop',
      latitude: full.latitude,
      longitude: full.longitude,
      added_at: addedAt,
    })
    assert.deepEqual(
      page.activities.data.map(({ kind, author }) => [kind, author]),
      [['imported', SOURCE.name]],
    )

    const again = await add([...found, place(60)], common)
    assert.deepEqual([again.added, again.already.length], [1, 60])
    assert.ok(again.already.every(({ contact: { reason } }) => reason === 'same_place'))
    const third = await add(found)
    assert.deepEqual([third.import_id, third.state, third.added, third.already.length], [null, 'done', 0, 60])
    assert.deepEqual(await eventNames(), { 'contact.created': 61 })
  })

  test(`${engine.name}: added by several people at once, a place becomes one contact`, async (t) => {
    const { add, actor, db } = await prospecting(engine, t)
    const found = places(80)
    const answers = await Promise.all([
      add(found),
      add(found.toReversed()),
      add(found.slice(20), {}, OTHER_SOURCE),
      add(found.slice(0, 60)),
    ])
    assert.deepEqual(
      answers.map(({ state }) => state),
      ['done', 'done', 'done', 'done'],
    )
    assert.equal(
      answers.map(({ added }) => added).reduce((one, other) => one + other),
      80,
    )
    for (const [at, count] of [80, 80, 60, 60].entries()) {
      const { added, already } = answers[at]!
      assert.equal(added + already.length, count)
      assert.equal(new Set(already.map(({ source_id }) => source_id)).size, already.length)
    }
    const { count } = await listContacts(db, actor.orgId, { limit: 1, offset: 0 })
    assert.equal(count, 80)
  })

  test(`${engine.name}: a contact is recognised by its place, its telephone, its website nearby, its name very near`, async (t) => {
    const { add, contact, know, db, actor } = await prospecting(engine, t)
    const typed = await contact({ full_name: 'Ada', phone: '(02) 3123-456' })
    await contact({ full_name: 'Somebody else', phone: '03 3123 456' })
    await add([
      place(1, { name: 'Burger King', website: 'https://www.example.com/' }),
      place(2, { name: 'Жито Леб', phone: '+389 70 567295' }),
    ])
    const { data } = await contactsOnMap(db.slow, actor.orgId, { ...EVERYWHERE, limit: 2 })
    const byName = (name: string) => data.find(({ company }) => company === name)!.id
    const [burger, bread] = [byName('Burger King'), byName('Жито Леб')]
    const at = ({ latitude, longitude }: Place, north = 0) => ({ latitude: latitude + north / 111_195, longitude })
    const asked = [
      place(1, { name: 'Renamed', ...at(place(99)) }),
      place(11, { phone: '+389 2 3123456; +389 2 1111111' }),
      place(12, { phone: '070567295' }),
      place(13, { website: 'http://example.com', ...at(place(1), 900) }),
      place(14, { website: 'http://example.com', ...at(place(1), 1_100) }),
      place(15, { name: 'BÜRGER KING Skopje', ...at(place(1), 140) }),
      place(16, { name: 'Burger King', ...at(place(1), 160) }),
      place(17, { name: 'Burger Friends', ...at(place(1), 10) }),
      place(18, { phone: '+381 70 567295' }),
      place(19, { website: 'https://example.com/other', ...at(place(1), 200) }),
    ]
    const known = await know(asked)
    assert.deepEqual(Object.fromEntries(known), {
      'node/1': { id: burger, name: 'Burger King', reason: 'same_place' },
      'node/11': { id: typed.id, name: 'Ada', reason: 'same_phone' },
      'node/12': { id: bread, name: 'Жито Леб', reason: 'same_phone' },
      'node/13': { id: burger, name: 'Burger King', reason: 'same_website' },
      'node/15': { id: burger, name: 'Burger King', reason: 'near_and_similar' },
    })
    const answer = await add(asked)
    assert.deepEqual([answer.added, answer.already.length], [5, 5])
  })

  test(`${engine.name}: what a contact is called and where it can be called is what it says now`, async (t) => {
    const { contact, know, change } = await prospecting(engine, t)
    const { id } = await contact({ full_name: 'Ada', phone: '02 3123 456' })
    const asked = [place(1, { phone: '+389 2 3123456' })]
    assert.equal((await know(asked)).size, 1)
    await change(id, { phone: '02 3123 457' })
    assert.equal((await know(asked)).size, 0)
    await change(id, { phone: '+389/2/3123/456' })
    assert.equal((await know(asked)).size, 1)
  })

  test(`${engine.name}: an org knows nothing of another's places and contacts`, async (t) => {
    const one = await prospecting(engine, t)
    const other = await one.neighbour()
    const found = [place(1, { phone: '+389 70 567295', website: 'https://example.com' })]
    await one.add(found)
    assert.equal((await other.know(found)).size, 0)
    assert.deepEqual((await contactsOnMap(one.db.slow, other.actor.orgId, { ...EVERYWHERE, limit: 10 })).data, [])
    assert.equal((await other.add(found)).added, 1)
    assert.equal((await other.know(found)).get('node/1')?.reason, 'same_place')
  })

  test(`${engine.name}: adding is undone as an import is; a deleted contact's place is gone, and may be added again`, async (t) => {
    const { add, db, actor, change, placeCount } = await prospecting(engine, t)
    const found = places(10)
    const { import_id } = await add(found)
    const [kept, deleted] = (await listContacts(db, actor.orgId, { limit: 2, offset: 0 })).rows
    await change(kept!.id, { label: 'hot' })
    await db.write((tx) => deleteContact(tx, actor, deleted!.id))
    assert.equal(await placeCount(), 9)
    const key = { orgId: actor.orgId, id: import_id! }
    const before = await getImport(db, key)
    assert.deepEqual([before.source, before.file_name, before.can_undo], ['places', SOURCE.name, true])
    await db.write((tx) => beginUndo(tx, actor, import_id!))
    await until('it is undone', async () => (await getImport(db, key)).state === 'undone')
    assert.deepEqual((await getImport(db, key)).undone, { removed: 8, restored: 0, kept: 1 })
    assert.equal(await placeCount(), 1)
    assert.equal((await add(found)).added, 9)
  })

  test(`${engine.name}: a stage that a strict pipeline lacks adds nothing`, async (t) => {
    const { add, db, actor, placeCount } = await prospecting(engine, t)
    await db.write((tx) => changeOrg(tx, actor.orgId, { strict_stages: true }))
    await assert.rejects(add(places(3), { deal_stage: 'unheard of' }), { code: 'validation' })
    assert.equal(await placeCount(), 0)
    assert.deepEqual(
      await db.read.selectFrom('import_job').select('id').where('org_id', '=', actor.orgId).execute(),
      [],
    )
  })

  test(`${engine.name}: a file of contacts ends with the source and licence of those from a map, and only then`, async (t) => {
    const { add, contact, db, actor } = await prospecting(engine, t)
    const typed = await contact({ full_name: 'Ada', label: 'typed' })
    await add([place(1, { website: 'https://example.com' })], { label: 'map' })
    const file = async (selection: Parameters<typeof contactFile>[2]) => {
      let text = ''
      for await (const piece of contactFile(db, actor.orgId, selection, ['full_name', 'company'])) text += piece
      return text.replace('\ufeff', '').trimEnd().split('\r\n')
    }
    assert.deepEqual(await file({ filter: {} }), [
      'full_name,company,source,source_id,licence,attribution,website,latitude,longitude',
      'Ada,,,,,,,,',
      ',Shop 1,Shops of Skopje,node/1,ODbL 1.0,© OpenStreetMap contributors,https://example.com,42,21.41',
    ])
    const plain = ['full_name,company', 'Ada,']
    assert.deepEqual(await file({ filter: { labels: ['typed'] } }), plain)
    assert.deepEqual(await file({ ids: [typed.id] }), plain)
    const { data } = await contactsOnMap(db.slow, actor.orgId, { ...EVERYWHERE, limit: 1 })
    assert.deepEqual(await file({ filter: {}, except: [data[0]!.id] }), plain)
  })

  test(`${engine.name}: the contacts of an area are those that lie in it, newest first`, async (t) => {
    const { db, actor } = await prospecting(engine, t)
    const { whole } = seededRandom(7)
    const random = () => whole(1e6) / 1e6
    const spread = Array.from({ length: 300 }, (_, number) =>
      place(number, { latitude: -60 + random() * 120, longitude: -180 + random() * 360 }),
    )
    const model = await db.write(async (tx) => {
      const made: { id: string; latitude: number; longitude: number }[] = []
      for (const one of spread) {
        const row = { input: { company: one.name }, place: one, source: SOURCE }
        const { id } = (await takePlace(tx, actor, row))!
        made.push({ id, latitude: one.latitude, longitude: one.longitude })
      }
      return made.reverse()
    })
    for (let i = 0; i < 100; i++) {
      const [south, west] = [-90 + random() * 100, -180 + random() * 200]
      const box = { south, west, north: south + random() * 80, east: west + random() * 160 }
      const inside = model.filter(({ latitude, longitude }) => {
        return latitude >= box.south && latitude <= box.north && longitude >= box.west && longitude <= box.east
      })
      const { data, meta } = await contactsOnMap(db.slow, actor.orgId, { ...box, limit: 20 })
      const positions = data.map(({ id, latitude, longitude }) => ({ id, latitude, longitude }))
      assert.deepEqual([meta.count, positions], [inside.length, inside.slice(0, 20)])
    }
  })
}

const EVERYWHERE = { south: -90, west: -180, north: 90, east: 180 }

type Test = Parameters<(typeof engines)[number]['open']>[0]

async function prospecting(engine: (typeof engines)[number], t: Test) {
  const { db } = await engine.open(t)
  const worker = startImportWorker({ db, log: createLog('silent'), takers: { places: takePlace }, nodeId: newId() })
  t.after(() => worker.stop())
  const neighbour = async () => {
    const org = await db.write((tx) => createOrg(tx, { name: 'Acme' }))
    return handles(db, commandActor(org.id))
  }
  return { ...(await neighbour()), neighbour }
}

function handles(db: Database, actor: Actor) {
  const { orgId } = actor
  return {
    db,
    actor,
    add(found: readonly Place[], common: ContactInput = {}, source = SOURCE): Promise<AddedPlaces> {
      const source_ids = found.map(({ source_id }) => source_id)
      return addPlaces(db, actor, { source, places: found }, { source_ids, ...common })
    },
    know: (asked: readonly Place[]) => recognised(db.slow, orgId, OTHER_SOURCE, asked),
    contact: (input: ContactInput) => db.write((tx) => createContact(tx, actor, input)),
    change: (id: string, patch: ContactInput) => db.write((tx) => changeContact(tx, actor, id, patch)),
    async eventNames() {
      const rows = await db.read
        .selectFrom('event')
        .select(({ fn }) => ['name', fn.countAll<number>().as('n')])
        .where('org_id', '=', orgId)
        .groupBy('name')
        .execute()
      return Object.fromEntries(rows.map(({ name, n }) => [name, n]))
    },
    async placeCount() {
      const { n } = await db.read
        .selectFrom('contact_place')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .where('org_id', '=', orgId)
        .executeTakeFirstOrThrow()
      return n
    },
  }
}
