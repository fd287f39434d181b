import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { CompiledQuery, type DatabaseConnection, Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { openEngines } from '../../../test/support/databases.ts'
import { contactsByIds, countMatching, idsAfter, matching, sortedIds } from '../contacts/grid-store.ts'
import { contactsByPhoneEnd } from '../contacts/match-store.ts'
import { contactSearchPage } from '../contacts/search-store.ts'
import { contactById, contactForUpdate, contactPage, deleteContactRows, similarContacts } from '../contacts/store.ts'
import { dealPage, dealsInStage, stageTotals } from '../deals/store.ts'
import { keysBefore } from '../idempotency/store.ts'
import { eventsAfter } from '../live/store.ts'
import { countDue } from '../operations/store.ts'
import {
  contactsInBox,
  contactsInStrips,
  contactsOfPlaces,
  contactsOfWebsites,
  placeContactIds,
  placesOfContacts,
} from '../prospecting/contact-place-store.ts'
import { bandOf, stripsAround } from '../prospecting/position.ts'
import { hasEndedSessions, sessionByHash, sessionsAmong } from '../sessions/store.ts'
import { groupPage, openTaskCounts, taskForUpdate, taskPage } from '../tasks/store.ts'
import { TASK_GROUPS } from '../tasks/ui-schema.ts'
import { tokenByHash } from '../tokens/store.ts'
import { attemptRows, deliveryRows, failedDeliveries, logRowById, logRows } from '../webhooks/delivery-store.ts'
import { busySubscriptions, dueDeliveries, readyDeliveries, readyInLane } from '../webhooks/due-store.ts'
import {
  deletedSubscription,
  deliveriesOf,
  eraseDeliveries,
  eventsBefore,
  finishedBefore,
} from '../webhooks/erasure-store.ts'
import { finishDeliveries, lockHeads, promoteNext } from '../webhooks/outcome-store.ts'
import { activeQueues, activeSubscriptions, newestUnfinished } from '../webhooks/queue-store.ts'
import { type Database, isPostgres, type Tx } from './engine.ts'
import { givenRows } from './given-rows.ts'
import type { HotQuery } from './postgres-batch.ts'
import type { Tables } from './schema.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { openSqlite } from './sqlite-open.ts'

/** Rows of an org in each table that grows; there are two orgs. */
const ROWS = 5_000
/** More than a page of 50 with its neighbours in an index, far less than the rows of an org. */
const ROWS_LOOKED_AT_MAX = 400
const INTEGERS = ['attempts', 'band', 'contact_deleted', 'deal_value', 'delivered', 'duration_ms', 'lane', 'number']

const orgId = id(1, 0)
const contact = { orgId, id: id(2, 40) }
const task = { orgId, id: id(3, 40) }
const subscriptionId = id(4, 1)
const page = { limit: 50, offset: 0 }
const BEFORE = '2026-05-01T00:00:00.000Z'
const queue = { orgId, subscriptionId, queueKey: id(2, 1) }
const deliveryKeys = [
  { org_id: orgId, id: id(6, 1) },
  { org_id: orgId, id: id(6, 5) },
]

const DAYS = {
  now: '2026-04-01T00:00:00.000Z',
  tomorrow: '2026-04-02T00:00:00.000Z',
  week_end: '2026-04-08T00:00:00.000Z',
}

type Query = (tx: Tx) => Promise<unknown>

/** Pages of all that an org has, in the order of an index. */
const PAGES: Record<string, Query> = {
  'contacts, newest first': (tx) => contactPage(tx, { orgId }, page),
  'deals, the most valuable first': (tx) => dealPage(tx, orgId, page),
  'tasks by due time': (tx) => taskPage(tx, orgId, page),
  'contacts far down': (tx) => contactPage(tx, { orgId }, { limit: 50, offset: ROWS - 200 }),
  'deals far down': (tx) => dealPage(tx, orgId, { limit: 50, offset: ROWS - 200 }),
  'tasks far down': (tx) => taskPage(tx, orgId, { limit: 50, offset: ROWS - 200 }),
  'active subscriptions': (tx) => activeSubscriptions(tx, { orgId }),
  'contacts by name': (tx) => sortedIds(tx, orgId, {}, 'name', page),
  'contacts by name, descending': (tx) => sortedIds(tx, orgId, {}, '-name', page),
  'contacts by company': (tx) => sortedIds(tx, orgId, {}, '-company', page),
  'contacts by value': (tx) => sortedIds(tx, orgId, {}, '-value', page),
  'contacts by their last change': (tx) => sortedIds(tx, orgId, {}, '-updated', page),
  'contacts of all kinds, to be changed or exported': (tx) => idsAfter(tx, orgId, {}, { after: contact.id, limit: 50 }),
  'the newest deliveries': (tx) => deliveryRows(tx, orgId, { limit: 50 }),
}

const QUERIES: Record<string, Query> = {
  ...PAGES,
  'a contact by id': (tx) => contactById(tx, contact),
  'a contact to change': (tx) => contactForUpdate(tx, contact),
  'a contact and all of it, to delete': (tx) => deleteContactRows(tx, contact, BEFORE),
  'contacts of a stage': (tx) => contactPage(tx, { orgId, stage: 'won' }, page),
  'contacts with a label': (tx) => contactPage(tx, { orgId, label: 'hot' }, page),
  'contacts of a stage with a label': (tx) => contactPage(tx, { orgId, stage: 'won', label: 'hot' }, page),
  'contacts by a text of three characters': (tx) => contactSearchPage(tx, 'zoe', { orgId }, page),
  'contacts by a text, of a stage': (tx) => contactSearchPage(tx, 'zoe quill', { orgId, stage: 'won' }, page),
  'how many contacts have a text': (tx) => countMatching(tx, orgId, { q: 'zoe' }),
  'contacts by a text, in the order of their companies': (tx) =>
    sortedIds(tx, orgId, { q: 'zoe quill' }, 'company', page),
  'contacts by their ids': (tx) => contactsByIds(tx, orgId, [contact.id, id(2, 41)]),
  'which of some contacts match': (tx) => matching(tx, orgId, { stages: ['won'] }, [contact.id, id(2, 41)]),
  'contacts that another may repeat': (tx) =>
    similarContacts(tx, orgId, { texts: ['ada 40\u001f'], email: 'ada@example.com', limit: 5 }),
  'contacts that places are by their ids, telephones, websites and positions': async (tx) => {
    await contactsOfPlaces(tx, orgId, [{ origin: 'osm', source_id: 'node/40' }])
    await contactsByPhoneEnd(tx, orgId, ['0000040'])
    await contactsOfWebsites(tx, orgId, [{ source_id: 'node/1', website_key: '40.example.com', south: 42, north: 43 }])
    await contactsInStrips(tx, orgId, stripsAround([{ latitude: 42.04, longitude: 21 }], 150))
  },
  'the places of contacts': (tx) => placesOfContacts(tx, orgId, [contact.id, id(2, 41)]),
  'contacts with a place': (tx) => placeContactIds(tx, orgId, { after: contact.id, limit: 50 }),
  'contacts on a part of the map': (tx) =>
    contactsInBox(tx, orgId, { south: 42.04, west: 20, north: 42.05, east: 22, bands: [21_020, 21_025], limit: 50 }),
  'a task to change': (tx) => taskForUpdate(tx, task),
  'tasks of a status': (tx) => taskPage(tx, orgId, { ...page, status: 'open' }),
  'deals of a stage, the most valuable first': (tx) => dealsInStage(tx, { orgId, text: '' }, 'won', page),
  'deals by a text, and what each stage has of them': async (tx) => {
    await dealsInStage(tx, { orgId, text: 'zoe' }, 'won', page)
    await stageTotals(tx, { orgId, text: 'zoe' })
  },
  ...Object.fromEntries(
    TASK_GROUPS.map((group): [string, Query] => [
      `tasks of the group ${group}`,
      (tx) => groupPage(tx, { orgId, ...DAYS }, group, page),
    ]),
  ),
  'open tasks of contacts': (tx) => openTaskCounts(tx, { orgId, contactIds: [id(2, 4), id(2, 8)], at: BEFORE }),
  'events after one': (tx) => eventsAfter(tx, { seq: 4_000, max: 50 }),
  'sessions that are open': (tx) => sessionsAmong(tx, [{ org_id: orgId, id: id(8, 1) }]),
  'a session by its hash': (tx) => sessionByHash(tx, { hash: 'hash 40' }),
  'sessions that have ended': (tx) => hasEndedSessions(tx, { createdAt: BEFORE, lastUsedAt: BEFORE }),
  'a token by its hash': (tx) => tokenByHash(tx, { hash: 'hash 40' }),
  'the ends of all queues of a contact': (tx) => activeQueues(tx, queue),
  'the end of a queue': (tx) => newestUnfinished(tx, queue),
  'subscriptions with something ready': (tx) => busySubscriptions(tx, { max: 10 }),
  'what a subscription has ready': (tx) =>
    readyDeliveries(tx, { org_id: orgId, subscription_id: subscriptionId, max: 50 }),
  'what a subscription has ready from one place on': (tx) =>
    readyInLane(tx, { org_id: orgId, subscription_id: subscriptionId, lane: 0, fromSeq: 4_000, max: 50 }),
  'the heads of queues, to hold': (tx) =>
    lockHeads(tx, [{ org_id: orgId, subscription_id: subscriptionId, queue_key: id(2, 1) }]),
  'deliveries to send': (tx) => dueDeliveries(tx, deliveryKeys),
  'outcomes to record': (tx) => finishDeliveries(tx, deliveryKeys.map(delivered)),
  'the next of a queue': (tx) =>
    promoteNext(tx, [{ org_id: orgId, subscription_id: subscriptionId, queue_key: id(2, 1) }]),
  'deliveries about a contact': (tx) => deliveryRows(tx, orgId, { contactId: contact.id, limit: 50 }),
  'deliveries of a subscription': (tx) => deliveryRows(tx, orgId, { subscriptionId, limit: 50 }),
  'failed deliveries of a subscription of one event': (tx) =>
    logRows(tx, orgId, { subscriptionId, states: ['failed'], event: 'contact.updated', fromId: id(6, 0), limit: 50 }),
  'deliveries about a contact of one subscription': (tx) =>
    logRows(tx, orgId, { contactId: contact.id, subscriptionId, states: ['failed'], limit: 50 }),
  'one delivery with its attempts': async (tx) => {
    await logRowById(tx, { orgId, id: id(6, 1) })
    await attemptRows(tx, { orgId, id: id(6, 1) })
  },
  'the oldest failed deliveries behind one': (tx) =>
    failedDeliveries(tx, { orgId, subscriptionId, afterId: id(6, 0), untilId: id(6, 4_000), max: 50 }),
  'how many deliveries are due': (tx) => countDue(tx),
  'deliveries to erase': (tx) => finishedBefore(tx, BEFORE, 50),
  'deliveries of a deleted subscription': (tx) => deliveriesOf(tx, { org_id: orgId, id: subscriptionId }, 50),
  'deliveries with their attempts and events, to erase': (tx) => eraseDeliveries(tx, deliveryKeys),
  'events to erase': (tx) =>
    eventsBefore(tx, BEFORE, { after: { ts: '2026-04-01T00:00:00.000Z', id: orgId }, max: 50 }),
  'a deleted subscription': (tx) => deletedSubscription(tx),
  'answers to forget': (tx) => keysBefore(tx, BEFORE, 50),
}

const prepared = await Promise.all(
  (await openEngines({ after })).map(async ({ name, db, store }) => {
    await fill(db)
    const explained = store.engine === 'sqlite' ? explainedSqlite(store.folder) : await explainedPostgres(store)
    after(() => explained.close())
    return { name, explained }
  }),
)

for (const { name, explained } of prepared) {
  for (const [what, query] of Object.entries(QUERIES)) {
    test(`${name}: ${what}: an index leads to every row`, async () => {
      const faults = await explained.faultsOf(query, what in PAGES)
      assert.ok(faults.length === 0, faults.join('\n'))
    })
  }
}

interface Explained {
  /** Where its statements look at more rows than they have to. */
  faultsOf(query: Query, isPage: boolean): Promise<string[]>
  close(): void | Promise<void>
}

/** SQLite tells its plan, not what it looked at: every table is entered by an index, and nothing of its is sorted. */
function explainedSqlite(folder: string): Explained {
  const connection = new SqliteConnection(openSqlite(`${folder}/kith.db`))
  const statements: CompiledQuery[] = []
  const listening: DatabaseConnection = {
    executeQuery: (query) => {
      statements.push(query)
      return connection.executeQuery(query)
    },
    streamQuery: (query, rows) => connection.streamQuery(query, rows),
  }
  const db = new Kysely<Tables>({ dialect: sqliteDialect(listening) })
  return {
    async faultsOf(query, isPage) {
      statements.length = 0
      connection.run('begin')
      try {
        await query(db as Tx)
        return statements.flatMap((statement) => {
          const { rows } = connection.run(`explain query plan ${statement.sql}`, statement.parameters)
          const plan = rows.map(({ detail }) => String(detail))
          return plan
            .filter((line) => isFault(line, plan) || (!isPage && WHOLE_ORG.test(line)))
            .map((line) => `${line}, in: ${statement.sql} [${plan.join('; ')}]`)
        })
      } finally {
        connection.run('rollback')
      }
    },
    close: () => connection.close(),
  }
}

/** What is gone through whole: rows that were handed over or found before, full-text matches, a partial index. */
const PASSING =
  /^SCAN (active|json_each|\d+-ROW VALUES CLAUSE|CONSTANT ROW|head|busy|hits|page|part|due|found|strip|k$|\(subquery-\d+\)|s VIRTUAL TABLE INDEX \d+:M1><$|delivery USING INDEX delivery_queue)/

/** Nothing but the org is looked up. */
const WHOLE_ORG = /^SEARCH (contact|task|event|delivery|delivery_attempt|contact_place|[cdek]) .*\((org_id|<expr>)=\?\)/

/** Rows that were found before, the keys of a batch, and rows of one millisecond may be sorted; no index made for it. */
function isFault(line: string, plan: string[]): boolean {
  if (line.startsWith('SCAN ')) return !PASSING.test(line)
  if (line.includes('AUTOMATIC')) return true
  return (
    line === 'USE TEMP B-TREE FOR ORDER BY' &&
    !plan.some((other) => /^(SCAN (hits|page|strip|json_each|s VIRTUAL)|LIST SUBQUERY)/.test(other))
  )
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

/** PostgreSQL counts the rows that each part of a plan looked at. */
async function explainedPostgres({ url }: { url: string }): Promise<Explained> {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  const statements: HotQuery[] = []
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void statements.push(query),
  })
  await sql`vacuum analyze`.execute(db)
  // Reading 10,000 rows in a row costs PostgreSQL as little as an index does; the tables will not stay that small.
  await sql`set enable_seqscan = off`.execute(db)
  const rolledBack = async (work: (tx: Tx) => Promise<unknown>) => {
    const tx = await db.startTransaction().execute()
    try {
      await work(tx)
    } finally {
      await tx.rollback().execute()
    }
  }
  return {
    async faultsOf(query) {
      statements.length = 0
      await rolledBack(query)
      const found: string[] = []
      await rolledBack(async (tx) => {
        for (const { sql: text, parameters, name } of statements.filter((statement) =>
          /^\s*(select|with|update|insert|delete)/.test(statement.sql),
        )) {
          const explain = CompiledQuery.raw(`explain (analyze, format json) ${text}`, [...parameters])
          const plans = [await tx.executeQuery<Explanation>(explain)]
          if (name !== undefined) plans.push(await generalPlan(tx, { sql: text, parameters }))
          for (const node of plans.flatMap(({ rows }) => nodesOf(rows[0]!['QUERY PLAN'][0].Plan))) {
            if (rowsLookedAt(node) > ROWS_LOOKED_AT_MAX) {
              const where = `${node['Node Type']} on ${node['Relation Name'] ?? '-'} ${node['Index Name'] ?? ''}`
              found.push(`${where}: ${rowsLookedAt(node)} rows, in: ${text}`)
            }
          }
        }
      })
      return found
    },
    close: () => pool.end(),
  }
}

interface Explanation {
  'QUERY PLAN': [{ Plan: PlanNode }]
}

/** How PostgreSQL runs a statement that it keeps, when it has stopped looking at each time's values. */
async function generalPlan(tx: Tx, { sql: text, parameters }: { sql: string; parameters: readonly unknown[] }) {
  const values = parameters.map((value) =>
    value === null
      ? 'null'
      : Buffer.isBuffer(value)
        ? `'\\x${value.toString('hex')}'`
        : pg.escapeLiteral(String(value)),
  )
  const run = <Row>(statement: string) => tx.executeQuery<Row>(CompiledQuery.raw(statement))
  await run('set local plan_cache_mode = force_generic_plan')
  await run(`prepare hot as ${text}`)
  try {
    return await run<Explanation>(`explain (analyze, format json) execute hot${values.length > 0 ? `(${values})` : ''}`)
  } finally {
    await run('deallocate hot')
    await run('set local plan_cache_mode = auto')
  }
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

function rowsLookedAt(node: PlanNode): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return (node['Actual Rows'] + removed) * node['Actual Loops']
}

/** A readable id: the kind of its row and the row's number, in order. */
function id(kind: number, n: number): string {
  return `00000000-000${kind}-7000-8000-${String(n).padStart(12, '0')}`
}

function delivered({ org_id, id }: { org_id: string; id: string }) {
  const outcome = { response_status: 200, error: null, duration_ms: 5, finished_at: BEFORE }
  return { org_id, id, state: 'delivered' as const, ...outcome }
}

type Row = Record<string, string | number | null>

/** Two orgs alike. In the first, every hundredth delivery is still due. */
async function fill(db: Database): Promise<void> {
  await db.write(async (tx) => {
    for (const org of [0, 1]) await fillOrg(tx, org)
    if (!isPostgres(tx)) await sql`insert into contact_search (contact_search) values ('rebuild')`.execute(tx)
  })
}

async function fillOrg(tx: Tx, org: number): Promise<void> {
  const org_id = id(1, org)
  const first = org * ROWS
  const numbers = Array.from({ length: ROWS }, (_, i) => i)
  const rows = (make: (i: number) => Row) => numbers.map((i) => ({ org_id, ...make(i) }))
  const time = (i: number) => new Date(Date.UTC(2026, 2, 1) + i * 1_800_000).toISOString()
  const oneOf = (values: (string | null)[], i: number) => values[i % values.length]!
  const org_row = {
    id: org_id,
    name: 'Ada',
    plan: 'pro' as const,
    hourly_limit: 1,
    strict_stages: 0,
    created_at: time(0),
  }
  await tx.insertInto('org').values(org_row).execute()
  await putRows(
    tx,
    'api_token',
    rows((i) => ({
      id: id(7, i),
      name: 'x',
      prefix: 'x',
      hash: `hash ${first + i}`,
      scopes: 'read',
      created_at: time(i),
      created_by: 'x',
    })),
  )
  await putRows(
    tx,
    'contact',
    rows((i) => ({
      id: id(2, i),
      full_name: `Ada ${i}`,
      phone: i % 4 === 0 ? null : `+49 (30) ${String(i).padStart(7, '0')}`,
      deal_stage: i % 100 === 1 ? 'won' : oneOf(['lead', 'lost', null], i),
      deal_value: i % 3 === 0 ? null : i,
      label: i % 200 === 1 ? 'hot' : oneOf(['cold', null], i),
      tags: '[]',
      search_text: i % 200 === 1 ? `zoe quill ${i}` : `ada ${i}`,
      last_event_at: time(i),
      created_at: time(i),
      updated_at: time(i),
    })),
  )
  await putRows(
    tx,
    'contact_place',
    rows((i) => ({
      contact_id: id(2, i),
      origin: 'osm',
      source_id: `node/${i}`,
      source: 'x',
      attribution: 'x',
      website_key: i % 4 === 0 ? null : `${i}.example.com`,
      band: bandOf(42 + i / 1_000),
      latitude: 42 + i / 1_000,
      longitude: 20 + (i % 100) / 50,
      added_at: time(i),
    })),
  )
  for (const [stage, label, n] of [
    ['lead', 'hot', ROWS - 2],
    ['won', '', 1],
    ['', 'cold', 1],
  ] as const) {
    await tx.insertInto('contact_count').values({ org_id, stage, label, shard: 0, n }).execute()
  }
  await tx.insertInto('task_count').values({ org_id, status: 'open', shard: 0, n: ROWS }).execute()
  await putRows(
    tx,
    'task',
    rows((i) => ({
      id: id(3, i),
      title: 'Call',
      due_at: i % 3 === 0 ? null : time(i),
      contact_id: i % 2 === 0 ? id(2, i) : null,
      status: oneOf(['open', 'done', 'completed', 'cancelled'], i),
      completed_at: oneOf([null, time(i), time(i), null], i),
      last_event_at: time(i),
      created_at: time(i),
      updated_at: time(i),
    })),
  )
  for (let i = 0; i < 4; i++) {
    const subscription = { org_id, id: id(4, i), url: 'https://example.org', events: '["contact.created"]' }
    await tx
      .insertInto('subscription')
      .values({ ...subscription, secret: new Uint8Array(1), created_at: time(i) })
      .execute()
  }
  await putRows(
    tx,
    'event',
    rows((i) => ({ id: id(5, i), name: 'contact.created', contact_id: id(2, i), ts: time(i), body: '{}' })),
  )
  await putRows(
    tx,
    'delivery',
    rows((i) => ({
      id: id(6, i),
      subscription_id: id(4, i % 4),
      event_id: id(5, i),
      event: 'contact.created',
      contact_id: id(2, i),
      queue_key: i % 100 === 5 ? id(2, i - 4) : id(2, i),
      lane: 0,
      state: i % 100 === 1 ? 'ready' : i % 100 === 5 ? 'queued' : 'delivered',
      attempts: 1,
      contact_deleted: 0,
      created_at: time(i),
      finished_at: i % 100 === 1 || i % 100 === 5 ? null : time(i),
    })),
  )
  await putRows(
    tx,
    'delivery_attempt',
    rows((i) => ({
      delivery_id: id(6, i),
      number: 1,
      started_at: time(i),
      duration_ms: 1,
      delivered: 1,
      url: 'x',
      request_headers: '[]',
      timings: '{}',
    })),
  )
  await putRows(
    tx,
    'idempotency',
    rows((i) => ({
      token_id: id(7, 1),
      key: `key ${i}`,
      request_hash: 'x',
      contact_id: id(2, i),
      created_at: time(i),
    })),
  )
}

async function putRows(tx: Tx, table: keyof Tables, rows: Row[]): Promise<void> {
  const names = [...new Set(rows.flatMap(Object.keys))]
  const typed = names.map((name) => {
    if (INTEGERS.includes(name)) return [name, 'integer']
    if (name === 'latitude' || name === 'longitude') return [name, 'float8']
    if (name === 'source_id') return [name, 'text']
    if (/_at$|^ts$/.test(name)) return [name, 'timestamptz']
    return [name, /id$|^queue_key$/.test(name) ? 'uuid' : 'text']
  })
  const given = givenRows(tx, rows, Object.fromEntries(typed))
  const columns = sql.join(names.map((name) => sql.ref(name)))
  const values = names.map((name) => {
    if (name !== 'body') return sql.ref(name)
    return isPostgres(tx) ? sql`cast(body as bytea)` : sql`cast(body as blob)`
  })
  await sql`insert into ${sql.table(table)} (${columns}) select ${sql.join(values)} from ${given}`.execute(tx)
}
