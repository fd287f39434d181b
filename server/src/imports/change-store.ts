/** What an import has done, which undoing it takes back. */
import { sql } from 'kysely'
import { compiledRows } from '../database/compiled-rows.ts'
import type { Reader, Tx } from '../database/engine.ts'
import { givenRows } from '../database/given-rows.ts'
import type { ImportChangeTable } from '../database/schema.ts'
import type { ImportKey } from './store.ts'

/** What an import did to a contact. */
export interface ContactChange {
  contactId: string
  kind: 'added' | 'updated'
  /** The contact's `updated_at` afterwards. */
  at: string
  /** The changed fields as they were and as they became. */
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

/** Notes changes; of a contact that it has changed before, this takes the place of what was noted then. */
export async function recordChanges(
  tx: Tx,
  { orgId, id }: ImportKey,
  changes: readonly ContactChange[],
): Promise<void> {
  const rows = changes.map(({ contactId, kind, at, before, after }) => ({
    org_id: orgId,
    import_id: id,
    contact_id: contactId,
    kind,
    at,
    before: before && JSON.stringify(before),
    after: after && JSON.stringify(after),
  }))
  await upsertChanges(tx, rows)
}

const upsertChanges = compiledRows<ImportChangeTable>()((tx, rows) =>
  tx
    .insertInto('import_change')
    .values(
      rows.map((p) => ({
        org_id: p('org_id'),
        import_id: p('import_id'),
        contact_id: p('contact_id'),
        kind: p('kind'),
        at: p('at'),
        before: p('before'),
        after: p('after'),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['org_id', 'import_id', 'contact_id']).doUpdateSet((eb) => ({
        kind: eb.ref('excluded.kind'),
        at: eb.ref('excluded.at'),
        before: eb.ref('excluded.before'),
        after: eb.ref('excluded.after'),
      })),
    ),
)

const CHANGE_COLUMNS = ['contact_id', 'kind', 'at', 'before', 'after'] as const

export async function changeOf(
  db: Reader,
  { orgId, id }: ImportKey,
  contactId: string,
): Promise<ContactChange | undefined> {
  const row = await db
    .selectFrom('import_change')
    .select(CHANGE_COLUMNS)
    .where('org_id', '=', orgId)
    .where('import_id', '=', id)
    .where('contact_id', '=', contactId)
    .executeTakeFirst()
  return row && contactChange(row)
}

/** Changes in the order of the contacts' ids, those after this one. */
export async function changesAfter(
  db: Reader,
  { orgId, id }: ImportKey,
  { after, limit }: { after: string; limit: number },
): Promise<ContactChange[]> {
  const rows = await db
    .selectFrom('import_change')
    .select(CHANGE_COLUMNS)
    .where('org_id', '=', orgId)
    .where('import_id', '=', id)
    .where('contact_id', '>', after)
    .orderBy('contact_id')
    .limit(limit)
    .execute()
  return rows.map(contactChange)
}

/** What sorts before every id. */
export const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

function contactChange({ contact_id, kind, at, before, after }: Omit<ImportChangeTable, 'org_id' | 'import_id'>) {
  return { contactId: contact_id, kind, at, before: before && JSON.parse(before), after: after && JSON.parse(after) }
}

/** Those of these contacts that the import has added. */
export async function addedAmong(
  db: Reader,
  { orgId, id }: ImportKey,
  contactIds: readonly string[],
): Promise<string[]> {
  if (contactIds.length === 0) return []
  const rows = await db
    .selectFrom('import_change')
    .select('contact_id')
    .where('org_id', '=', orgId)
    .where('import_id', '=', id)
    .where('contact_id', 'in', contactIds)
    .where('kind', '=', 'added')
    .execute()
  return rows.map(({ contact_id }) => contact_id)
}

export async function eraseChanges(tx: Tx, { orgId, id }: ImportKey, contactIds: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('import_change')
    .where('org_id', '=', orgId)
    .where('import_id', '=', id)
    .where('contact_id', 'in', contactIds)
    .execute()
}

/** How many contacts an import has added and how many it has updated, and how many of the added ones have to stay. */
export async function changeCounts(
  db: Reader,
  key: ImportKey,
): Promise<{ added: number; updated: number; added_kept: number }> {
  const { rows } = await sql<{ added: number; updated: number; added_kept: number }>`
    select count(case when x.kind = 'added' then 1 end) as added,
      count(case when x.kind = 'updated' then 1 end) as updated,
      count(case when x.kind = 'added' and (${isKept(key)}) then 1 end) as added_kept
    from import_change x join contact c on c.org_id = x.org_id and c.id = x.contact_id
    where x.org_id = ${key.orgId} and x.import_id = ${key.id}`.execute(db)
  return rows[0]!
}

export interface KeptAdded {
  id: string
  full_name: string | null
  company: string | null
  is_edited: number
}

/** The first of the added contacts that undoing leaves: changed since, or with history or tasks of others. */
export async function keptAdded(db: Reader, key: ImportKey, limit: number): Promise<KeptAdded[]> {
  const { rows } = await sql<KeptAdded>`
    select c.id, c.full_name, c.company, case when c.updated_at <> x.at then 1 else 0 end as is_edited
    from import_change x join contact c on c.org_id = x.org_id and c.id = x.contact_id
    where x.org_id = ${key.orgId} and x.import_id = ${key.id} and x.kind = 'added' and (${isKept(key)})
    order by x.contact_id limit ${limit}`.execute(db)
  return rows
}

/** Of these added contacts, the ones that undoing leaves. */
export async function keptOf(db: Reader, key: ImportKey, contactIds: readonly string[]): Promise<Set<string>> {
  const given = givenRows(
    db,
    contactIds.map((contact_id) => ({ contact_id })),
    { contact_id: 'uuid' },
  )
  const { rows } = await sql<{ id: string }>`
    select c.id from ${given}
    join import_change x on x.org_id = ${key.orgId} and x.import_id = ${key.id} and x.contact_id = given.contact_id
    join contact c on c.org_id = x.org_id and c.id = x.contact_id
    where x.org_id = ${key.orgId} and (${isKept(key)})`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Whether an added contact `c` with its change `x` has to stay: tasks that came with it are gone by then. */
function isKept({ orgId, id }: ImportKey) {
  return sql`c.updated_at <> x.at
    or exists (select 1 from activity a where a.org_id = ${orgId} and a.contact_id = c.id and a.actor <> ${`import:${id}`})
    or exists (select 1 from task t where t.org_id = ${orgId} and t.contact_id = c.id and not exists (
      select 1 from import_task i where i.org_id = ${orgId} and i.import_id = ${id} and i.task_id = t.id
        and i.at = t.updated_at))`
}

/** Those of an import's updated contacts that somebody has changed since, as they are now. */
export async function editedSince(
  db: Reader,
  { orgId, id }: ImportKey,
  { after, limit }: { after: string; limit: number },
): Promise<ContactChange[]> {
  const rows = await db
    .selectFrom('import_change as x')
    .innerJoin('contact as c', (join) => join.onRef('c.org_id', '=', 'x.org_id').onRef('c.id', '=', 'x.contact_id'))
    .select(['x.contact_id', 'x.kind', 'x.at', 'x.before', 'x.after'])
    .where('x.org_id', '=', orgId)
    .where('x.import_id', '=', id)
    .where('x.kind', '=', 'updated')
    .where('x.contact_id', '>', after)
    .whereRef('c.updated_at', '<>', 'x.at')
    .orderBy('x.contact_id')
    .limit(limit)
    .execute()
  return rows.map(contactChange)
}

export async function insertImportTask(
  tx: Tx,
  { orgId, id }: ImportKey,
  { taskId, at }: { taskId: string; at: string },
): Promise<void> {
  await tx.insertInto('import_task').values({ org_id: orgId, import_id: id, task_id: taskId, at }).execute()
}

export interface ImportTask {
  taskId: string
  at: string
}

export async function tasksOf(db: Reader, { orgId, id }: ImportKey, limit: number): Promise<ImportTask[]> {
  const rows = await db
    .selectFrom('import_task')
    .select(['task_id', 'at'])
    .where('org_id', '=', orgId)
    .where('import_id', '=', id)
    .orderBy('task_id')
    .limit(limit)
    .execute()
  return rows.map(({ task_id, at }) => ({ taskId: task_id, at }))
}

export async function eraseImportTasks(tx: Tx, { orgId, id }: ImportKey, taskIds: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('import_task')
    .where('org_id', '=', orgId)
    .where('import_id', '=', id)
    .where('task_id', 'in', taskIds)
    .execute()
}
