/**
 * Throws when a query looks at rows of an org-owned table without naming the org. Switched on in tests, where every
 * text that Kysely makes goes through it, hand-written SQL included.
 */
import { type KyselyPlugin, SqliteQueryCompiler } from 'kysely'
import { KEPT_TABLES } from './tables.ts'

/** The tables with a column `org_id`; a test compares this with the database. */
export const ORG_TABLES: ReadonlySet<string> = new Set([
  ...['session', 'one_time_link'],
  ...[
    'stage',
    'label',
    'value_rename',
    'member',
    'api_token',
    'contact',
    'contact_count',
    'contact_place',
    'task',
    'task_count',
    'activity',
    'saved_view',
  ],
  ...['event', 'subscription', 'subscription_lease', 'delivery', 'delivery_attempt', 'delivery_hour', 'send_again'],
  ...['idempotency', 'rate_window', 'rate_lease', 'usage_minute', 'import_job', 'import_reject'],
  ...['import_file', 'import_fix', 'import_change', 'import_task', 'place_upload', 'uploaded_place'],
])

interface Exception {
  table: string
  reason: string
  /** The condition, word for word without the table's name; where there is none, what stands in its place. */
  where: string
}

const EXCEPTIONS: readonly Exception[] = [
  ...exceptions('the token tells whose request it is', [['api_token', 'hash = ?']]),
  ...exceptions('the cookie tells whose request it is', [['session', 'hash = ?']]),
  ...exceptions('the link tells whom it is for', [['one_time_link', 'hash = ?']]),
  ...exceptions('what has ended is erased by age, in all orgs', [
    ['session', 'created_at < ?'],
    ['session', 'last_used_at < ?'],
    ['one_time_link', 'expires_at < ?'],
    ['place_upload', 'created_at < ?'],
    ['place_upload', 'not exists (select)'],
  ]),
  ...exceptions('signing in: an address belongs to one member of one org', [['member', 'email = ?']]),
  ...exceptions('the row ids of an org begin with its number', [
    ['contact', 'row_id between o.number << 32 and (o.number << 32) + 4294967295'],
  ]),
  ...exceptions('a dispatcher serves all orgs', [
    ['subscription_lease', 'owner = ?'],
    ['subscription_lease', 'owner is not null'],
    ['delivery', 'seq = coalesce(select)'],
  ]),
  ...exceptions('the metrics count the deliveries that are due in all orgs', [
    ['delivery', `state in ('ready', 'queued')`],
  ]),
  ...exceptions('the live feed tells the pages of all orgs', [
    ['event', 'seq > ?'],
    ['event', 'seq = any (cast(? as bigint[]))'],
    ['event', 'order by seq desc'],
  ]),
  ...exceptions('retention erases by age, in all orgs', [
    ['delivery', `finished_at < ? and state in ('delivered', 'failed')`],
    ['event', 'ts < ?'],
    ['event', 'ts < ? and (ts, id) > (?, ?)'],
    ['subscription', 'deleted_at is not null'],
    ['delivery_hour', 'hour < ?'],
    ['usage_minute', 'minute < ?'],
    ['idempotency', 'created_at < ?'],
  ]),
  ...exceptions('contacts are moved to renamed stages in all orgs', [
    ['value_rename', 'order by org_id, field, old_value'],
  ]),
  ...exceptions('failed deliveries are sent again for all orgs', [['send_again', 'next_at <= ?']]),
  ...exceptions('the imports of all orgs are worked and erased in turn', [
    ['import_job', `state in ('checking', 'running', 'undoing')`],
    ['import_job', 'has_file = 1'],
    ['import_job', 'has_records = 1 and finished_at < ?'],
  ]),
  ...exceptions('a backup is of all orgs', [
    ...KEPT_TABLES.map(({ name, key }): [string, string] => [name, `order by ${key.join(', ')}`]),
    ...KEPT_TABLES.map(({ name }): [string, string] => [name, 'having count(*) > 0']),
    ['contact', `group by org_id, coalesce(deal_stage, ''), coalesce(label, '')`],
    ['task', 'group by org_id, status'],
  ]),
]

function exceptions(reason: string, queries: [table: string, where: string][]): Exception[] {
  return queries.map(([table, where]) => ({ table, reason, where: wordsOf(where).join(' ') }))
}

/** @returns a plugin that throws, before the query runs, with the table and the query */
export function orgGuard(): KyselyPlugin {
  const compiler = new SqliteQueryCompiler()
  const passed = new Set<string>()
  return {
    transformQuery({ node, queryId }) {
      const { sql } = compiler.compileQuery(node, queryId)
      if (!passed.has(sql)) {
        const [table] = unguardedTables(sql)
        if (table) throw new Error(`This query is not held to one org's rows of ${table} (see org-guard.ts): ${sql}`)
        passed.add(sql)
      }
      return node
    },
    transformResult: async ({ result }) => result,
  }
}

/**
 * The org-owned tables that a statement looks at, or inserts into, without naming the org: in each part of it every one
 * must have its `org_id` compared with something, and not just with that of another table that is not held itself.
 *
 * @param sql in either engine's dialect
 */
export function unguardedTables(sql: string): string[] {
  return partsOf(wordsOf(sql)).flatMap(unguardedIn)
}

/** Names with what qualifies them, texts, numbers, and every other character by itself. */
function wordsOf(sql: string): string[] {
  const words = sql.match(/'(?:[^']|'')*'|(?:"[^"]+"|\w+)(?:\.(?:"[^"]+"|\w+|\*))*|[^\s]/g) ?? []
  return words.map((word) => (word.startsWith("'") ? word : word.replaceAll('"', '').toLowerCase()))
}

/** Takes a statement apart into its selects, inserts, updates and deletes; where one lay in another, `( select )` stays. */
function partsOf(words: string[]): string[][] {
  const parts: string[][] = []
  let at = 0
  const read = (): string[] => {
    const own: string[] = []
    for (; at < words.length && words[at] !== ')'; at++) {
      const word = words[at]!
      own.push(word)
      if (word !== '(') continue
      const isPart = /^(with|select|values|insert|update|delete)$/.test(words.slice(at).find((next) => next !== '(')!)
      at++
      const inner = read()
      if (isPart) parts.push(...splitAt(inner))
      own.push(...(isPart ? ['select'] : inner), ')')
    }
    return own
  }
  return [...splitAt(read()), ...parts]
}

function splitAt(words: string[]): string[][] {
  const parts: string[][] = [[]]
  for (const word of words) {
    if (/^(union|intersect|except)$/.test(word)) parts.push([])
    else parts.at(-1)!.push(word)
  }
  return parts
}

interface Source {
  table: string
  alias: string
}

function unguardedIn(words: string[]): string[] {
  const inserted = insertedTable(words)
  const sources = sourcesOf(words).filter(({ table }) => ORG_TABLES.has(table) || table === 'org')
  const conditions = conditionsOf(words)
  const held = new Set(sources.filter((source) => isExcepted(source, words, conditions)))
  const sourceOf = (word: string | undefined) => sources.find((source) => isOrgOf(source, word, sources))
  const links: [Source, Source][] = []
  for (const condition of conditions) {
    for (const [i, word] of condition.entries()) {
      const source = sourceOf(word) ?? sources.find((source) => isRowsOfOrg(source, condition, i))
      if (!source) continue
      const others = [condition[i + 1] === '=' && condition[i + 2], condition[i - 1] === '=' && condition[i - 2]]
      const other = others.map((name) => sourceOf(name || undefined)).find((found) => found)
      if (other) links.push([source, other])
      else held.add(source)
    }
  }
  for (let grown = true; grown; ) {
    const before = held.size
    for (const [a, b] of links) if (held.has(a) || held.has(b)) held.add(a).add(b)
    grown = held.size > before
  }
  const free = sources.filter((source) => source.table !== 'org' && !held.has(source)).map(({ table }) => table)
  return inserted ? [inserted, ...free] : free
}

/** @returns the org-owned table that is inserted into without a value for its `org_id` */
function insertedTable(words: string[]): string | undefined {
  const at = words.indexOf('into')
  const table = words[at + 1]
  if (at < 0 || !ORG_TABLES.has(table!)) return undefined
  return words.slice(at + 2, words.indexOf(')', at)).includes('org_id') ? undefined : table
}

const AFTER_NAME = /^(on|where|set|join|inner|left|cross|lateral|order|group|limit|for|returning|using|values|default)$/

function sourcesOf(words: string[]): Source[] {
  const sources: Source[] = []
  let depth = 0
  /** How deep the list of tables lies that is being read; commas between brackets in it part no tables. */
  let listDepth: number | undefined
  for (const [i, word] of words.entries()) {
    if (word === '(') depth++
    if (word === ')') depth--
    const isUpdate = word === 'update' && !/^(for|do|key)$/.test(words[i - 1] ?? '')
    if (/^(from|join|using)$/.test(word) || isUpdate || (word === ',' && depth === listDepth)) {
      listDepth = depth
      const table = words[i + 1]!
      const next = words[i + 2] === 'as' ? words[i + 3] : words[i + 2]
      sources.push({ table, alias: next && /^\w+$/.test(next) && !AFTER_NAME.test(next) ? next : table })
    } else if (AFTER_NAME.test(word) && depth === listDepth) {
      listDepth = undefined
    }
  }
  return sources
}

/** What stands behind each `on` and `where`. */
function conditionsOf(words: string[]): string[][] {
  const conditions: string[][] = []
  let current: string[] | undefined
  for (const [i, word] of words.entries()) {
    if (word === 'where' || (word === 'on' && words[i + 1] !== 'conflict')) {
      current = []
      conditions.push(current)
    } else if (/^(order|group|having|limit|returning|for|join|inner|left|cross|on|set)$/.test(word)) {
      current = undefined
    } else {
      current?.push(word)
    }
  }
  return conditions
}

/** Whether a word names the org of a table: without a qualifier it is that of the part's only table. */
function isOrgOf({ table, alias }: Source, word: string | undefined, sources: Source[]): boolean {
  const column = table === 'org' ? 'id' : 'org_id'
  return word === `${alias}.${column}` || (word === column && sources.length === 1)
}

/** Whether the row ids of contacts are compared with an org's number: what `ofOrg` writes for SQLite. */
function isRowsOfOrg({ table, alias }: Source, words: string[], at: number): boolean {
  const text = words.slice(at, at + 8).join(' ')
  return table === 'contact' && text === `${alias}.row_id > > 32 = ( select )`
}

function isExcepted({ table, alias }: Source, words: string[], conditions: string[][]): boolean {
  const texts = conditions.length > 0 ? conditions : [orderOf(words)]
  const ownTexts = texts.map((text) => text.map((word) => word.replace(`${alias}.`, '')).join(' '))
  return EXCEPTIONS.some((exception) => exception.table === table && ownTexts.includes(exception.where))
}

function orderOf(words: string[]): string[] {
  const start = words.findIndex((word) => /^(group|order|having)$/.test(word))
  const end = words.indexOf('limit', start)
  return start < 0 ? [] : words.slice(start, end < 0 ? undefined : end)
}
