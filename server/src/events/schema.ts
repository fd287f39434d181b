/** The bodies of the six events, as they are signed and sent. */
import { type TProperties, type TSchema, Type } from 'typebox'
import { Contact } from '../contacts/schema.ts'
import { Task } from '../tasks/schema.ts'
import type { EventName } from './names.ts'

export const EVENT_BODIES: Record<EventName, TSchema> = {
  'contact.created': bodyOf('contact.created', 'ContactCreated', { contact: Contact }),
  'contact.updated': bodyOf('contact.updated', 'ContactUpdated', {
    contact: Contact,
    changed: Type.Array(Type.String(), {
      description: 'The fields that differ; never `updated_at`, and empty when nothing differs.',
    }),
  }),
  'contact.deleted': bodyOf('contact.deleted', 'ContactDeleted', { contact: Contact }),
  'deal.stage_changed': bodyOf('deal.stage_changed', 'DealStageChanged', {
    contact: Contact,
    new_stage: stage('The stage it is in now; null when it stopped being a deal.'),
    previous_stage: stage('The stage it was in before; null when it was no deal.'),
  }),
  'task.created': bodyOf('task.created', 'TaskCreated', { task: Task }),
  'task.completed': bodyOf('task.completed', 'TaskCompleted', { task: Task }),
}

function bodyOf(event: EventName, $id: string, payload: TProperties): TSchema {
  return Type.Object(
    {
      event: Type.Enum([event], { type: 'string', description: 'The name of the event.' }),
      ts: Type.String({
        format: 'date-time',
        description: 'When it happened, UTC. Of two events about one contact or task the later has the greater `ts`.',
      }),
      payload: Type.Object(payload),
    },
    { $id },
  )
}

function stage(description: string): TSchema {
  return Type.Unsafe({ type: ['string', 'null'], description })
}
