/** How many contacts an org has, by stage and label, kept in the transaction of each change. */
import { compiled } from '../database/compiled.ts'
import { forUpdate, type Tx } from '../database/engine.ts'
import { shardOf } from '../database/shards.ts'

export interface Filed {
  deal_stage: string | null
  label: string | null
}

/** Counts `delta` contacts more of that stage and label. */
export async function countContacts(tx: Tx, orgId: string, { deal_stage, label }: Filed, delta: number): Promise<void> {
  await addToCount(tx, { orgId, stage: deal_stage ?? '', label: label ?? '', delta })
}

const addToCount = compiled<{ orgId: string; stage: string; label: string; delta: number }>()((db, p) =>
  db
    .insertInto('contact_count')
    .values({ org_id: p('orgId'), stage: p('stage'), label: p('label'), shard: shardOf(db), n: p('delta') })
    .onConflict((conflict) =>
      conflict
        .columns(['org_id', 'stage', 'label', 'shard'])
        .doUpdateSet((eb) => ({ n: eb('contact_count.n', '+', eb.ref('excluded.n')) })),
    ),
)

/** Moves one contact from one stage and label to another, in one order for all, so that two moves never lock in a circle. */
export async function moveCount(tx: Tx, orgId: string, from: Filed, to: Filed): Promise<void> {
  if (from.deal_stage === to.deal_stage && from.label === to.label) return
  const moves = [
    { filed: from, delta: -1 },
    { filed: to, delta: 1 },
  ]
  moves.sort((a, b) => (keyOf(a.filed) < keyOf(b.filed) ? -1 : 1))
  for (const { filed, delta } of moves) await countContacts(tx, orgId, filed, delta)
  await forgetIfNone(tx, orgId, from)
}

/** Removes the counter of a stage and label that no contact has any more: a label may tell about a person. */
export async function forgetIfNone(tx: Tx, orgId: string, { deal_stage, label }: Filed): Promise<void> {
  const key = { orgId, stage: deal_stage ?? '', label: label ?? '' }
  const parts = await partsOfCount(tx, key)
  // Parts that add up to nothing may go, whatever others are counting meanwhile: none of these changes before we end.
  if (parts.reduce((total, { n }) => total + n, 0) !== 0) return
  for (const { shard } of parts) await removePart(tx, { ...key, shard })
}

const partsOfCount = compiled<{ orgId: string; stage: string; label: string }>()((db, p) =>
  forUpdate(
    db as Tx,
    db
      .selectFrom('contact_count')
      .select(['shard', 'n'])
      .where('org_id', '=', p('orgId'))
      .where('stage', '=', p('stage'))
      .where('label', '=', p('label'))
      .orderBy('shard'),
  ),
)

const removePart = compiled<{ orgId: string; stage: string; label: string; shard: number }>()((db, p) =>
  db
    .deleteFrom('contact_count')
    .where('org_id', '=', p('orgId'))
    .where('stage', '=', p('stage'))
    .where('label', '=', p('label'))
    .where('shard', '=', p('shard')),
)

function keyOf({ deal_stage, label }: Filed): string {
  return `${deal_stage ?? ''}\u0000${label ?? ''}`
}
