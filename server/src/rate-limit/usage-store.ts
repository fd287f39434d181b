import { sql } from 'kysely'
import type { Reader, Tx } from '../database/engine.ts'
import { givenRows } from '../database/given-rows.ts'
import type { UsageMinuteTable } from '../database/schema.ts'

export type UsageCount = UsageMinuteTable

const COLUMNS = {
  org_id: 'uuid',
  minute: 'integer',
  token_id: 'uuid',
  allowed: 'integer',
  refused: 'integer',
} as const satisfies Record<keyof UsageMinuteTable, string>

/** Adds to what is counted, in one order, so that processes that write the same rows wait for each other. */
export async function addUsage(tx: Tx, counts: readonly UsageCount[]): Promise<void> {
  const columns = sql.join(Object.keys(COLUMNS).map((name) => sql.ref(name)))
  await sql`insert into usage_minute (${columns}) select ${columns} from ${givenRows(tx, counts, COLUMNS)}
    where true order by org_id, minute, token_id on conflict (org_id, minute, token_id) do update
    set allowed = usage_minute.allowed + excluded.allowed, refused = usage_minute.refused + excluded.refused
    `.execute(tx)
}

export async function eraseUsageBefore(tx: Tx, minute: number): Promise<void> {
  await tx.deleteFrom('usage_minute').where('minute', '<', minute).execute()
}

/** What an org used in each minute from one on, all tokens together, in order. */
export function usageByMinute(db: Reader, { orgId, fromMinute }: { orgId: string; fromMinute: number }) {
  return db
    .selectFrom('usage_minute')
    .select('minute')
    .select([sql<number>`cast(sum(allowed) as bigint)`.as('allowed')])
    .select([sql<number>`cast(sum(refused) as bigint)`.as('refused')])
    .where('org_id', '=', orgId)
    .where('minute', '>=', fromMinute)
    .groupBy('minute')
    .orderBy('minute')
    .execute()
}

/** What each token of an org used from a minute on, the busiest first. */
export function usageByToken(db: Reader, { orgId, fromMinute }: { orgId: string; fromMinute: number }) {
  return db
    .selectFrom('usage_minute as u')
    .innerJoin('api_token as t', (join) => join.onRef('t.org_id', '=', 'u.org_id').onRef('t.id', '=', 'u.token_id'))
    .select(['t.id', 't.name', 't.prefix'])
    .select(sql<number>`cast(sum(u.allowed) as bigint)`.as('allowed'))
    .select(sql<number>`cast(sum(u.refused) as bigint)`.as('refused'))
    .where('u.org_id', '=', orgId)
    .where('u.minute', '>=', fromMinute)
    .groupBy(['t.id', 't.name', 't.prefix'])
    .orderBy('allowed', 'desc')
    .orderBy('t.id')
    .execute()
}
