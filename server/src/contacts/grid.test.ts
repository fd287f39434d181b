/** The web app's list of contacts against a model in memory: every filter, every order, any stretch. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openEngines } from '../../../test/support/databases.ts'
import { seededRandom } from '../../../test/support/random.ts'
import { type Actor, commandActor } from '../actor.ts'
import type { Database } from '../database/engine.ts'
import { createOrg } from '../orgs/actions.ts'
import { foldForSearch, searchTextOf } from '../text/search-text.ts'
import { changeContact, createContact, deleteContact, findDuplicates, listContacts } from './actions.ts'
import { contactFile } from './export-actions.ts'
import type { ContactFilter, ContactSort } from './filter-schema.ts'
import { SORT_KEYS } from './filter-schema.ts'
import { gridPage } from './grid-actions.ts'
import { matching } from './grid-store.ts'
import type { Contact, ContactInput, ContactListItem } from './schema.ts'

const CONTACTS = 400
const LOOKS = 300
const SEED = 20_261_121

const LONG = `${'ﷺ'.repeat(120)}`
const NAMES = [
  'Ada',
  'ADA',
  'Zoë',
  'zoe',
  'Émile',
  'Al%',
  'a_b',
  'O\\o',
  '\u0001x',
  '李',
  '~',
  'Ada King',
  LONG,
  `${LONG}b`,
  null,
]
const COMPANIES = ['Acme', 'ACME Ltd', 'Ünal', 'zeta', LONG, null]
const STAGES = ['lead', 'won', 'odd', null]
const LABELS = ['hot', 'cold', null]
const VALUES = [null, null, 0, -1, 5, 5, 1e15, 0.1]
const TAGS = ['a', 'b"a', 'a,"b', 'a\\', ',', '[', 'ü', '"']
const QUERIES = ['ada', 'a', 'zo', 'É', 'acme', '%', '\\', '李', 'nobody', ' ', LONG.slice(0, 3), null]

const engines = await openEngines({ after })

for (const { name, db } of engines) {
  test(`${name}: ${LOOKS} stretches of the list, at random (seed ${SEED}), are the model's`, async () => {
    const random = seededRandom(SEED)
    const orgs = [await orgOf(db, random), await orgOf(db, random)]
    for (let look = 0; look < LOOKS; look++) {
      const { actor, contacts } = random.of(orgs)
      const filter = someFilter(random)
      const sort = `${random.chance(0.5) ? '-' : ''}${random.of(SORT_KEYS)}` as ContactSort
      const limit = 1 + random.whole(60)
      const expected = contacts.filter((contact) => matches(contact, filter)).sort(comparing(sort))
      const offset = random.chance(0.3) ? 0 : random.whole(expected.length + 3)
      const page = await gridPage(db, actor.orgId, filter, { sort, limit, offset, count: 'true' })
      const said = JSON.stringify({ filter, sort, limit, offset })
      assert.deepEqual(namesOf(page.rows), namesOf(expected.slice(offset, offset + limit)), said)
      assert.equal(page.count, expected.length, said)
      const some = contacts.filter(() => random.chance(0.1)).map(({ id }) => id)
      const kept = await matching(db.read, actor.orgId, filter, some)
      assert.deepEqual(
        kept,
        some.filter((id) => expected.some((contact) => contact.id === id)),
        said,
      )
    }
  })

  test(`${name}: a page holds whole contacts, and no count where none is asked for`, async () => {
    const { actor, contacts } = await orgOf(db, seededRandom(1), 3)
    const { rows, count } = await gridPage(
      db,
      actor.orgId,
      {},
      { sort: 'created', limit: 2, offset: 1, count: 'false' },
    )
    assert.deepEqual([rows, count], [contacts.slice(1), null])
  })

  test(`${name}: more hits than are looked up one by one are found all the same`, async () => {
    const actor = await newOrg(db)
    const many = 2_100
    for (let at = 0; at < many; at += 300) {
      await db.write(async (tx) => {
        for (let i = at; i < at + 300; i++) {
          const deal_stage = i % 3 === 0 ? 'lead' : null
          await createContact(tx, actor, { full_name: `Grace ${i}`, deal_value: i % 7, deal_stage })
        }
      })
    }
    for (const sort of SORT_KEYS) {
      const page = { sort, limit: 200, offset: 2_000, count: 'true' } as const
      const { rows, count } = await gridPage(db, actor.orgId, { q: 'grace' }, page)
      assert.deepEqual([rows.length, count], [100, many], sort)
    }
    const behind = await gridPage(
      db,
      actor.orgId,
      { q: 'grace' },
      { sort: '-created', limit: 9, offset: 1, count: 'true' },
    )
    for (const [query, count] of [
      [{ q: 'grace' }, many],
      [{ q: 'gr' }, many],
      [{ q: 'grace', stage: 'lead' }, many / 3],
      [{ q: 'gr', stage: 'lead' }, many / 3],
      [{ q: 'grace 20', stage: 'lead' }, 36],
    ] as const) {
      const said = JSON.stringify(query)
      const first = await listContacts(db, actor.orgId, { ...query, limit: 200, offset: 1 })
      assert.equal(first.count, count, said)
      assert.deepEqual(namesOf(first.rows), namesOf(first.rows).toSorted().reverse(), said)
      if (!('stage' in query)) assert.deepEqual(namesOf(first.rows).slice(0, 9), namesOf(behind.rows), said)
      const last = await listContacts(db, actor.orgId, { ...query, limit: 200, offset: count - 2 })
      assert.deepEqual([last.rows.length, last.count], [2, count], said)
      const none = await listContacts(db, actor.orgId, { ...query, limit: 200, offset: count + 1 })
      assert.deepEqual([none.rows.length, none.count], [0, count], said)
    }
  })

  test(`${name}: a file of contacts holds those that match, oldest first, in the asked columns`, async () => {
    const { actor, contacts } = await orgOf(db, seededRandom(2), 60)
    const filter: ContactFilter = { stages: ['lead', null] }
    const except = contacts.slice(0, 5).map(({ id }) => id)
    let noted: number | undefined
    const note = (count: number) => (noted = count)
    let text = ''
    for await (const piece of contactFile(db, actor.orgId, { filter, except }, ['id', 'deal_stage'], note))
      text += piece
    const expected = contacts.filter((contact) => matches(contact, filter) && !except.includes(contact.id))
    const lines = expected.map(({ id, deal_stage }) => `${id},${deal_stage ?? ''}\r\n`)
    assert.equal(text, `\ufeffid,deal_stage\r\n${lines.join('')}`)
    assert.equal(noted, expected.length)
  })

  test(`${name}: a possible duplicate has the e-mail address in any case, or the name at that company or at none`, async () => {
    const actor = await newOrg(db)
    const other = await newOrg(db)
    const add = (input: ContactInput, who = actor) => db.write((tx) => createContact(tx, who, input))
    const mail = await add({ full_name: 'Someone', email: 'ADA@example.com' })
    const there = await add({ full_name: 'Ada Lovelace', company: 'Acme' })
    const alone = await add({ full_name: 'ADA LOVELACE' })
    const company = await add({ company: 'Ünal' })
    await add({ full_name: 'Ada Lovelace', company: 'Elsewhere' })
    await add({ full_name: 'Ada Lovelace', company: 'Acme', email: 'ada@example.com' }, other)
    const ask = async (input: ContactInput) =>
      (await findDuplicates(db.read, actor.orgId, input)).map(({ id }) => id).sort()
    const ids = (...contacts: Contact[]) => contacts.map(({ id }) => id).sort()
    assert.deepEqual(await ask({ email: 'ada@EXAMPLE.com' }), ids(mail))
    assert.deepEqual(await ask({ full_name: 'Áda lovelace', company: 'ACME' }), ids(there, alone))
    assert.deepEqual(await ask({ full_name: 'Ada Lovelace' }), ids(alone))
    assert.deepEqual(await ask({ company: 'unal' }), ids(company))
    assert.deepEqual(
      await ask({ full_name: 'Ada Lovelace', company: 'Acme', email: 'ada@example.com' }),
      ids(mail, there, alone),
    )
    assert.deepEqual(await ask({}), [])
  })
}

type Random = ReturnType<typeof seededRandom>

async function newOrg(db: Database): Promise<Actor> {
  const { id } = await db.write((tx) => createOrg(tx, { name: 'Test' }))
  return commandActor(id)
}

/** An org with contacts, some of them changed and deleted since. */
async function orgOf(db: Database, random: Random, size = CONTACTS): Promise<{ actor: Actor; contacts: Contact[] }> {
  const actor = await newOrg(db)
  const contacts = new Map<string, Contact>()
  for (let at = 0; at < size; at += 100) {
    await db.write(async (tx) => {
      for (let i = at; i < Math.min(size, at + 100); i++) {
        const contact = await createContact(tx, actor, someContact(random))
        contacts.set(contact.id, contact)
      }
      if (size < CONTACTS) return
      for (const id of [...contacts.keys()].filter(() => random.chance(0.1))) {
        if (random.chance(0.2)) {
          await deleteContact(tx, actor, id)
          contacts.delete(id)
        } else contacts.set(id, await changeContact(tx, actor, id, someContact(random)))
      }
    })
  }
  return { actor, contacts: [...contacts.values()] }
}

function someContact({ of, chance }: Random): ContactInput {
  const full_name = of(NAMES)
  return {
    full_name,
    company: full_name === null ? of(COMPANIES.slice(0, -1)) : of(COMPANIES),
    deal_stage: of(STAGES),
    label: of(LABELS),
    deal_value: of(VALUES),
    tags: TAGS.filter(() => chance(0.15)),
  }
}

function someFilter({ of, chance }: Random): ContactFilter {
  return {
    ...(chance(0.4) && { q: of(QUERIES) }),
    ...(chance(0.3) && { stages: [...STAGES, 'none'].filter(() => chance(0.4)) }),
    ...(chance(0.3) && { labels: LABELS.filter(() => chance(0.4)) }),
    ...(chance(0.2) && { tag: of([...TAGS, 'b', 'x', null]) }),
    ...(chance(0.2) && { has_stage: chance(0.5) }),
  }
}

function matches(contact: Contact, { q, stages, labels, tag, has_stage }: ContactFilter): boolean {
  const text = foldForSearch(q ?? '')
  return (
    (text === '' || textOf(contact.full_name, contact.company).includes(text)) &&
    (!stages || stages.includes(contact.deal_stage)) &&
    (!labels || labels.includes(contact.label)) &&
    (!tag || contact.tags.includes(tag)) &&
    (has_stage === undefined || has_stage === (contact.deal_stage !== null))
  )
}

/** What a contact is sorted by; undefined for none. */
const VALUE_OF: Record<string, (contact: Contact) => string | number | undefined> = {
  created: ({ id }) => id,
  name: ({ full_name, company }) => (full_name === null ? undefined : textOf(full_name, company)),
  company: ({ company }) => (company === null ? undefined : textOf(null, company)),
  value: ({ deal_value }) => deal_value ?? undefined,
  updated: ({ updated_at }) => updated_at,
}

/** Folding takes long for a test that sorts again and again. */
function textOf(fullName: string | null, company: string | null): string {
  const key = JSON.stringify([fullName, company])
  const text = texts.get(key) ?? searchTextOf(fullName, company)
  texts.set(key, text)
  return text
}

const texts = new Map<string, string>()

function comparing(sort: ContactSort) {
  const direction = sort.startsWith('-') ? -1 : 1
  const key = sort.replace('-', '')
  const sortedBy = VALUE_OF[key]!
  // Those without a name are in the order of their companies.
  const rest = key === 'name' ? VALUE_OF.company! : sortedBy
  return (a: Contact, b: Contact): number => {
    const [x, y] = [sortedBy(a), sortedBy(b)]
    if ((x === undefined) !== (y === undefined)) return x === undefined ? 1 : -1
    const byValue = x === undefined ? compared(rest(a), rest(b)) : compared(x, y)
    return direction * (byValue || compared(a.id, b.id))
  }
}

/** Texts by their code points, as both databases do. */
function compared(x: string | number | undefined, y: string | number | undefined): number {
  if (typeof x === 'string' && typeof y === 'string') return Buffer.compare(Buffer.from(x), Buffer.from(y))
  return x === undefined || y === undefined ? 0 : Number(x) - Number(y)
}

function namesOf(contacts: ContactListItem[]) {
  return contacts.map(({ id, full_name, company, deal_value }) => [id, full_name, company, deal_value])
}
