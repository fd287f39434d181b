import { compiled } from '../database/compiled.ts'
import type { ActivityTable } from '../database/schema.ts'

export const insertActivity = compiled<ActivityTable>()((tx, p) =>
  tx.insertInto('activity').values({
    org_id: p('org_id'),
    id: p('id'),
    contact_id: p('contact_id'),
    kind: p('kind'),
    body: p('body'),
    occurred_at: p('occurred_at'),
    actor: p('actor'),
  }),
)
