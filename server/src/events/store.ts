import { compiledRows } from '../database/compiled-rows.ts'
import type { EventTable } from '../database/schema.ts'

export const insertEvents = compiledRows<Omit<EventTable, 'seq'>>()((tx, rows) =>
  tx.insertInto('event').values(
    rows.map((p) => ({
      org_id: p('org_id'),
      id: p('id'),
      name: p('name'),
      contact_id: p('contact_id'),
      task_id: p('task_id'),
      ts: p('ts'),
      body: p('body'),
    })),
  ),
)
