/** How many contacts an org has, by stage and label, kept in the transaction of each change. */
import { sql } from 'kysely'
import { compiled, compiledChange } from '../database/compiled.ts'
import { compiledRows } from '../database/compiled-rows.ts'
import { forUpdate, isPostgres, type Tx } from '../database/engine.ts'
import { shardOf } from '../database/shards.ts'

export interface Filed {
  deal_stage: string | null
  label: string | null
}

/** Counts these contacts, in one order for all, so that two who count never lock in a circle. */
export async function countContacts(tx: Tx, orgId: string, contacts: readonly Filed[]): Promise<void> {
  const more = new Map<string, { filed: Filed; delta: number }>()
  for (const filed of contacts) {
    const key = keyOf(filed)
    const count = more.get(key)
    if (count) count.delta++
    else more.set(key, { filed, delta: 1 })
  }
  const keys = [...more.keys()].sort()
  await addToCounts(
    tx,
    keys.map((key) => countRow(orgId, more.get(key)!)),
  )
}

/** @param delta how many contacts more of that stage and label there are */
function countRow(orgId: string, { filed, delta }: { filed: Filed; delta: number }) {
  return { orgId, stage: filed.deal_stage ?? '', label: filed.label ?? '', delta }
}

const addToCounts = compiledRows<{ orgId: string; stage: string; label: string; delta: number }>()((db, rows) =>
  db
    .insertInto('contact_count')
    .values(
      rows.map((p) => ({
        org_id: p('orgId'),
        stage: p('stage'),
        label: p('label'),
        shard: shardOf(db),
        n: p('delta'),
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['org_id', 'stage', 'label', 'shard'])
        .doUpdateSet((eb) => ({ n: eb('contact_count.n', '+', eb.ref('excluded.n')) })),
    ),
)

/** Counts one contact less of that stage and label. */
export async function uncountContact(tx: Tx, orgId: string, filed: Filed): Promise<void> {
  await lockTaking(tx, orgId, filed)
  await addToCounts(tx, [countRow(orgId, { filed, delta: -1 })])
  await forgetIfNone(tx, orgId, filed)
}

/** Moves one contact from one stage and label to another, in one order for all, so that two moves never lock in a circle. */
export async function moveCount(tx: Tx, orgId: string, from: Filed, to: Filed): Promise<void> {
  if (from.deal_stage === to.deal_stage && from.label === to.label) return
  const moves = [
    { filed: from, delta: -1 },
    { filed: to, delta: 1 },
  ]
  moves.sort((a, b) => (keyOf(a.filed) < keyOf(b.filed) ? -1 : 1))
  await lockTaking(tx, orgId, from)
  await addToCounts(
    tx,
    moves.map((move) => countRow(orgId, move)),
  )
  await forgetIfNone(tx, orgId, from)
}

/** Any number that nothing else of Kith's locks with. */
const LOCK_SEED = 5_214_553

/**
 * Of those that take away from one counter, one goes after the other until it commits: the one that takes the last
 * then knows it. Taken before the count is changed, so that nobody waits for this lock with a part of the counter held.
 */
async function lockTaking(tx: Tx, orgId: string, filed: Filed): Promise<void> {
  if (!hasName(filed) || !isPostgres(tx)) return
  await lock(tx, { name: `${orgId} ${keyOf(filed)}` })
}

const lock = compiledChange<{ name: string }>()((db, p) =>
  db.selectNoFrom(sql`pg_advisory_xact_lock(hashtextextended(${p('name')}, ${sql.lit(LOCK_SEED)}))`.as('taken')),
)

/** Removes the counter of a stage and label that no contact has any more: a label may tell about a person. */
async function forgetIfNone(tx: Tx, orgId: string, filed: Filed): Promise<void> {
  if (!hasName(filed)) return
  const key = { orgId, stage: filed.deal_stage ?? '', label: filed.label ?? '' }
  const [count] = await sumOfCount(tx, key)
  if (Number(count!.n) !== 0) return
  const parts = await freePartsOfCount(tx, key)
  // Parts that add up to nothing may go, whatever others are counting meanwhile: none of these changes before we end.
  if (parts.reduce((total, { n }) => total + n, 0) !== 0) return
  for (const { shard } of parts) await removePart(tx, { ...key, shard })
}

function hasName({ deal_stage, label }: Filed): boolean {
  return deal_stage !== null || label !== null
}

const sumOfCount = compiled<{ orgId: string; stage: string; label: string }>()((db, p) =>
  db
    .selectFrom('contact_count')
    .select(({ fn }) => fn.sum('n').as('n'))
    .where('org_id', '=', p('orgId'))
    .where('stage', '=', p('stage'))
    .where('label', '=', p('label')),
)

/**
 * The parts that nobody is adding to. Whoever does is not waited for, since we hold parts of counters ourselves: the
 * counter stays as they add to it.
 */
const freePartsOfCount = compiled<{ orgId: string; stage: string; label: string }>()((db, p) => {
  const parts = db
    .selectFrom('contact_count')
    .select(['shard', 'n'])
    .where('org_id', '=', p('orgId'))
    .where('stage', '=', p('stage'))
    .where('label', '=', p('label'))
  return forUpdate(db as Tx, isPostgres(db) ? parts.skipLocked() : parts)
})

const removePart = compiledChange<{ orgId: string; stage: string; label: string; shard: number }>()((db, p) =>
  db
    .deleteFrom('contact_count')
    .where('org_id', '=', p('orgId'))
    .where('stage', '=', p('stage'))
    .where('label', '=', p('label'))
    .where('shard', '=', p('shard')),
)

function keyOf({ deal_stage, label }: Filed): string {
  return `${deal_stage ?? ''}\n${label ?? ''}`
}
