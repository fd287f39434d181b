/** The rows of whole tables, of all orgs: what a backup reads and a restore writes. */
import { type RawBuilder, sql } from 'kysely'
import { isPostgres, type Reader, type Tx } from '../database/engine.ts'
import { KEPT_TABLES, type KeptTable } from '../database/tables.ts'

/** A row's values in the order of its table's columns. */
export type Row = unknown[]

const PAGE_ROWS = 100

/** SQLite's own row ids are made anew. */
const NOT_KEPT = ['row_id']

/** @returns the columns of a table that both engines have, in the order of their names */
export async function columnsOf(db: Reader, table: KeptTable): Promise<string[]> {
  const names = isPostgres(db)
    ? sql<{ name: string }>`select column_name as name from information_schema.columns
        where table_schema = current_schema() and table_name = ${table.name}`
    : sql<{ name: string }>`select name from pragma_table_info(${table.name})`
  const { rows } = await names.execute(db)
  return rows
    .map(({ name }) => name)
    .filter((name) => !NOT_KEPT.includes(name))
    .sort()
}

/** All rows of a table in the order of its key, a page at a time. */
export async function* pagesOf(db: Reader, table: KeptTable, columns: string[]): AsyncGenerator<Row[]> {
  const key = sql.join(table.key.map((name) => sql.ref(name)))
  const selected = sql.join(columns.map((name) => sql.ref(name)))
  let after = sql``
  for (;;) {
    const { rows } = await sql<Record<string, unknown>>`select ${selected} from ${sql.table(table.name)} ${after}
      order by ${key} limit ${sql.lit(PAGE_ROWS)}`.execute(db)
    if (rows.length > 0) yield rows.map((row) => columns.map((name) => row[name]))
    if (rows.length < PAGE_ROWS) return
    const last = rows[rows.length - 1]!
    after = sql`where (${key}) > (${sql.join(table.key.map((name) => last[name]))})`
  }
}

/** @returns the fingerprint of the key that seals the signing secrets; null where none has been used yet */
export async function keyFingerprintOf(db: Reader): Promise<string | null> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', 'key_fingerprint').executeTakeFirst()
  return row?.value ?? null
}

/**
 * Makes the database ready to be restored into, and keeps others from putting an org into it meanwhile.
 *
 * @returns whether it was empty; if not, nothing is changed
 */
export async function clearEmptyDatabase(tx: Tx): Promise<boolean> {
  if (isPostgres(tx)) await sql`lock table org in exclusive mode`.execute(tx)
  if (await tx.selectFrom('org').select('id').limit(1).executeTakeFirst()) return false
  // What a server that was started on it has noted about itself.
  await tx.deleteFrom('meta').execute()
  return true
}

export async function insertRows(tx: Tx, table: KeptTable, columns: string[], rows: Row[]): Promise<void> {
  const named = sql.join(columns.map((name) => sql.ref(name)))
  const values = sql.join(rows.map((row): RawBuilder<unknown> => sql`(${sql.join(row)})`))
  const keepsCounter = table.counter && isPostgres(tx) ? sql`overriding system value` : sql``
  await sql`insert into ${sql.table(table.name)} (${named}) ${keepsCounter} values ${values}`.execute(tx)
}

/** Brings what follows from the rows in line with them: counters, sequences, the floor of new ids. */
export async function settle(tx: Tx, idMax: string): Promise<void> {
  await sql`insert into contact_count (org_id, stage, label, shard, n)
    select org_id, coalesce(deal_stage, ''), coalesce(label, ''), 0, count(*) from contact
    group by org_id, coalesce(deal_stage, ''), coalesce(label, '')`.execute(tx)
  await sql`insert into task_count (org_id, status, shard, n)
    select org_id, status, 0, count(*) from task group by org_id, status`.execute(tx)
  if (!isPostgres(tx)) {
    await sql`insert into contact_search (contact_search) values ('rebuild')`.execute(tx)
    await sql`update commit_counter set last_id = max(last_id, ${idMax})`.execute(tx)
    return
  }
  for (const { name, counter } of KEPT_TABLES) {
    if (!counter) continue
    await sql`select setval(pg_get_serial_sequence(${name}, ${counter}), max(${sql.ref(counter)}))
      from ${sql.table(name)} having count(*) > 0`.execute(tx)
  }
}
