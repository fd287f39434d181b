import type { Actor } from '../actor.ts'
import type { Tx } from '../database/engine.ts'
import { newId } from '../ids.ts'
import type { OwnKind } from './schema.ts'
import { insertActivity } from './store.ts'

/** Writes a line of a contact's history. @param body what happened, in words for a person */
export async function recordActivity(
  tx: Tx,
  actor: Actor,
  activity: { contactId: string; kind: OwnKind; body: string; occurredAt: string },
): Promise<void> {
  await insertActivity(tx, {
    org_id: actor.orgId,
    id: newId(),
    contact_id: activity.contactId,
    kind: activity.kind,
    body: activity.body,
    occurred_at: activity.occurredAt,
    actor: actor.name,
  })
}
