import type { Actor } from '../actor.ts'
import type { Tx } from '../database/engine.ts'
import { newId } from '../ids.ts'
import type { OwnKind } from './schema.ts'
import { insertActivities } from './store.ts'

export interface OwnActivity {
  contactId: string
  kind: OwnKind
  /** What happened, in words for a person. */
  body: string
  occurredAt: string
}

/** Writes a line of a contact's history. */
export function recordActivity(tx: Tx, actor: Actor, activity: OwnActivity): Promise<void> {
  return recordActivities(tx, actor, [activity])
}

export async function recordActivities(tx: Tx, actor: Actor, activities: readonly OwnActivity[]): Promise<void> {
  const rows = activities.map(({ contactId, kind, body, occurredAt }) => ({
    org_id: actor.orgId,
    id: newId(),
    contact_id: contactId,
    kind,
    body,
    occurred_at: occurredAt,
    actor: actor.name,
  }))
  await insertActivities(tx, rows)
}
