/** Which process works which subscription. Looks across orgs: a dispatcher serves all of them. */
import { sql } from 'kysely'
import { compiled } from '../database/compiled.ts'
import { isPostgres, type Reader, type Tx } from '../database/engine.ts'
import { givenRows, overRows } from '../database/given-rows.ts'

export interface Node {
  id: string
  beats: number
}

export interface LeaseKey {
  org_id: string
  subscription_id: string
}

export interface Lease extends LeaseKey {
  fence: number
}

/** Tells the others that this node is alive. `firstBeats` is what the count begins at. */
export async function beatNode(tx: Tx, id: string, firstBeats: number): Promise<void> {
  await tx
    .insertInto('dispatcher_node')
    .values({ id, beats: firstBeats })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({ beats: eb('dispatcher_node.beats', '+', 1) })),
    )
    .execute()
}

export function nodes(db: Reader): Promise<Node[]> {
  return db.selectFrom('dispatcher_node').select(['id', 'beats']).execute()
}

/** Takes a node's leases from it, unless it has given another beat. */
export async function buryNode(tx: Tx, { id, beats }: Node): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('dispatcher_node')
    .where('id', '=', id)
    .where('beats', '=', beats)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) return false
  await freeLeasesOf(tx, id)
  return true
}

/** Takes their leases from all nodes. */
export async function buryAllNodes(tx: Tx): Promise<void> {
  await tx.deleteFrom('dispatcher_node').execute()
  await tx.updateTable('subscription_lease').set({ owner: null }).where('owner', 'is not', null).execute()
}

export async function removeNode(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('dispatcher_node').where('id', '=', id).execute()
  await freeLeasesOf(tx, id)
}

async function freeLeasesOf(tx: Tx, owner: string): Promise<void> {
  await tx.updateTable('subscription_lease').set({ owner: null }).where('owner', '=', owner).execute()
}

const LEASE_KEY = { org_id: 'uuid', subscription_id: 'uuid' } as const

/** @returns those of the subscriptions that are active and nobody's, with the fence of their last turn */
export async function freeLeases(db: Reader, keys: readonly LeaseKey[]): Promise<Lease[]> {
  const { rows } = await sql<Lease>`
    select s.org_id, s.id as subscription_id, coalesce(l.fence, 0) as fence
    from ${givenRows(db, keys, LEASE_KEY)}
    join subscription s on s.org_id = given.org_id and s.id = given.subscription_id
    left join subscription_lease l on l.org_id = s.org_id and l.subscription_id = s.id
    where s.paused_at is null and s.deleted_at is null and l.owner is null`.execute(db)
  return rows
}

/** Takes those of the free leases that nobody else has taken meanwhile, each with the next fence. */
export async function takeLeases(tx: Tx, owner: string, free: readonly Lease[]): Promise<Lease[]> {
  const { rows } = await sql<Lease>`
    insert into subscription_lease (org_id, subscription_id, owner, fence)
    select given.org_id, given.subscription_id, ${owner}, given.fence + 1
    from ${givenRows(tx, free, { ...LEASE_KEY, fence: 'integer' })} where true order by given.org_id, given.subscription_id
    on conflict (org_id, subscription_id) do update set owner = excluded.owner, fence = excluded.fence
    where subscription_lease.owner is null and subscription_lease.fence = excluded.fence - 1
    returning org_id, subscription_id, fence`.execute(tx)
  return rows
}

export async function releaseLeases(tx: Tx, owner: string, keys: readonly LeaseKey[]): Promise<void> {
  await sql`update subscription_lease set owner = null where owner = ${owner} and (org_id, subscription_id) in
    (select org_id, subscription_id from ${givenRows(tx, keys, LEASE_KEY)})`.execute(tx)
}

/** The leases of a node, with what sending to their subscriptions needs. */
export const leasedSubscriptions = compiled<{ owner: string }>()((db, p) =>
  db
    .selectFrom('subscription_lease as l')
    .innerJoin('subscription as s', (join) =>
      join.onRef('s.org_id', '=', 'l.org_id').onRef('s.id', '=', 'l.subscription_id'),
    )
    .select([
      'l.org_id',
      'l.subscription_id',
      'l.fence',
      's.url',
      's.secret',
      's.previous_secret',
      's.previous_secret_until',
      's.paused_at',
      's.deleted_at',
    ])
    .where('l.owner', '=', p('owner')),
)

const held = overRows<LeaseKey & { owner: string }>()(
  { ...LEASE_KEY, owner: 'text' },
  // SQLite would rather go through all leases of the node for each.
  (db, given) => sql<Lease>`
    select l.subscription_id, l.fence from ${given}
    cross join subscription_lease l
    where l.org_id = given.org_id and l.subscription_id = given.subscription_id and l.owner = given.owner
    ${isPostgres(db) ? sql`order by l.org_id, l.subscription_id for share of l` : sql``}`,
)

/**
 * The fences of those leases that the node still holds. On PostgreSQL the rows are held too, so that none changes its
 * owner before this transaction has ended.
 */
export async function heldFences(tx: Tx, owner: string, keys: readonly LeaseKey[]): Promise<Map<string, number>> {
  const rows = await held(
    tx,
    keys.map((key) => ({ ...key, owner })),
  )
  return new Map(rows.map((row) => [row.subscription_id, row.fence]))
}
