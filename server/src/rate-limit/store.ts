import { sql } from 'kysely'
import { compiled, compiledChange } from '../database/compiled.ts'
import type { Tx } from '../database/engine.ts'
import type { RateLeaseTable } from '../database/schema.ts'

/** Requests let through in one second: how many, and when the last of them was. */
export interface UsedSecond {
  second: number
  used: number
  lastMs: number
}

export type Lease = Omit<RateLeaseTable, 'org_id'>

export interface Window {
  used: number
  /** Undefined when nothing is counted. */
  newestSecond: number | undefined
  /** The seconds that leave the window first. */
  oldest: UsedSecond[]
}

/** Any number that nothing else of Kith's locks with. */
const LOCK_SEED = 5_214_552

/**
 * PostgreSQL only: keeps other nodes off the org's window until the transaction ends.
 *
 * @returns the database's clock in milliseconds and parts of them, read once the lock is there
 */
export async function lockWindow(tx: Tx, orgId: string): Promise<number> {
  const { rows } = await sql<{ now_ms: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::double precision as now_ms
    from pg_advisory_xact_lock(hashtextextended(${orgId}, ${LOCK_SEED}))`.execute(tx)
  return rows[0]!.now_ms
}

export const leasesOf = compiled<{ orgId: string }>()((tx, p) =>
  tx
    .selectFrom('rate_lease')
    .select(['node', 'serial', 'permits', 'expires_ms'])
    .where('org_id', '=', p('orgId'))
    .orderBy('expires_ms')
    .orderBy('node'),
)

export const putLease = compiledChange<RateLeaseTable>()((tx, p) =>
  tx
    .insertInto('rate_lease')
    .values({
      org_id: p('org_id'),
      node: p('node'),
      serial: p('serial'),
      permits: p('permits'),
      expires_ms: p('expires_ms'),
    })
    .onConflict((conflict) =>
      conflict.columns(['org_id', 'node']).doUpdateSet((eb) => ({
        serial: eb.ref('excluded.serial'),
        permits: eb.ref('excluded.permits'),
        expires_ms: eb.ref('excluded.expires_ms'),
      })),
    ),
)

export const deleteLease = compiledChange<{ orgId: string; node: string }>()((tx, p) =>
  tx.deleteFrom('rate_lease').where('org_id', '=', p('orgId')).where('node', '=', p('node')),
)

/** Adds to what is counted in each of these seconds, of which none may be named twice. */
export async function addUsed(tx: Tx, orgId: string, seconds: UsedSecond[]): Promise<void> {
  await tx
    .insertInto('rate_window')
    .values(seconds.map(({ second, used, lastMs }) => ({ org_id: orgId, second, used, last_ms: lastMs })))
    .onConflict((conflict) =>
      conflict.columns(['org_id', 'second']).doUpdateSet((eb) => ({
        used: eb('rate_window.used', '+', eb.ref('excluded.used')),
        last_ms: eb
          .case()
          .when('excluded.last_ms', '>', eb.ref('rate_window.last_ms'))
          .then(eb.ref('excluded.last_ms'))
          .else(eb.ref('rate_window.last_ms'))
          .end(),
      })),
    )
    .execute()
}

/** Forgets the seconds whose last request was at `lastMs` or before. `second` is that of `lastMs`. */
export const deleteOldSeconds = compiledChange<{ orgId: string; second: number; lastMs: number }>()((tx, p) =>
  tx
    .deleteFrom('rate_window')
    .where('org_id', '=', p('orgId'))
    .where('second', '<=', p('second'))
    .where('last_ms', '<=', p('lastMs')),
)

/** @returns what was counted after `second`, which is counted there no more */
export async function takeUsedAfter(tx: Tx, orgId: string, second: number): Promise<number> {
  const rows = await tx
    .deleteFrom('rate_window')
    .where('org_id', '=', orgId)
    .where('second', '>', second)
    .returning('used')
    .execute()
  return rows.reduce((sum, { used }) => sum + used, 0)
}

/** Sums at most 3,601 rows. */
export async function windowOf(tx: Tx, ask: { orgId: string; oldestMax: number }): Promise<Window> {
  const rows = await readWindow(tx, ask)
  return {
    used: rows[0]?.total ?? 0,
    newestSecond: rows[0]?.newest,
    oldest: rows.map(({ second, used, last_ms }) => ({ second, used, lastMs: last_ms })),
  }
}

const readWindow = compiled<{ orgId: string; oldestMax: number }>()((tx, p) =>
  tx
    .selectFrom('rate_window')
    .select(['second', 'used', 'last_ms'])
    .select([
      sql<number>`(select cast(sum(w.used) as bigint) from rate_window w where w.org_id = ${p('orgId')})`.as('total'),
      sql<number>`(select max(w.second) from rate_window w where w.org_id = ${p('orgId')})`.as('newest'),
    ])
    .where('org_id', '=', p('orgId'))
    .orderBy('second')
    .limit(p('oldestMax')),
)

/** @returns when the last request of the second was let through with which `count` are reached, from the oldest on */
export async function timeOfOldest(tx: Tx, orgId: string, count: number): Promise<number | undefined> {
  const row = await tx
    .selectFrom((from) =>
      from
        .selectFrom('rate_window')
        .select(['second', 'last_ms', sql<number>`cast(sum(used) over (order by second) as bigint)`.as('through')])
        .where('org_id', '=', orgId)
        .as('counted'),
    )
    .select('last_ms')
    .where('through', '>=', count)
    .orderBy('second')
    .limit(1)
    .executeTakeFirst()
  return row?.last_ms
}
