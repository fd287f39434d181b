import { sql } from 'kysely'
import { compiled } from '../database/compiled.ts'
import type { Reader } from '../database/engine.ts'
import type { EventTable } from '../database/schema.ts'

/** What an event is about, without its body. */
export type EventMark = Pick<EventTable, 'org_id' | 'contact_id' | 'task_id'> & { seq: number }

const MARK = ['seq', 'org_id', 'contact_id', 'task_id'] as const

/** The events after a number, in order. */
export const eventsAfter = compiled<{ seq: number; max: number }>()((db, p) =>
  db.selectFrom('event').select(MARK).where('seq', '>', p('seq')).orderBy('seq').limit(p('max')),
)

/** The newest events with when they happened, the newest first. */
export const newestEvents = compiled<{ max: number }>()((db, p) =>
  db
    .selectFrom('event')
    .select([...MARK, 'ts'])
    .orderBy('seq', 'desc')
    .limit(p('max')),
)

/** Those of the numbers that events have by now. PostgreSQL only. */
export async function eventsOf(db: Reader, seqs: number[]): Promise<EventMark[]> {
  return db
    .selectFrom('event')
    .select(MARK)
    .where(sql<boolean>`seq = any(cast(${seqs} as bigint[]))`)
    .orderBy('seq')
    .execute()
}
