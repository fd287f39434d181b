import { compiled } from '../database/compiled.ts'
import type { EventTable } from '../database/schema.ts'

export const insertEvent = compiled<Omit<EventTable, 'seq'>>()((tx, p) =>
  tx.insertInto('event').values({
    org_id: p('org_id'),
    id: p('id'),
    name: p('name'),
    contact_id: p('contact_id'),
    task_id: p('task_id'),
    ts: p('ts'),
    body: p('body'),
  }),
)
