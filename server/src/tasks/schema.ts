import { type Static, Type } from 'typebox'
import { nullable, optional, serverSet } from '../http/fields.ts'
import { pageFields } from '../http/paging.ts'

const id = Type.String({
  format: 'uuid',
  description: 'Set by the server.',
  examples: ['0196ceb0-7d22-7c11-9a00-51c0de6f8b21'],
})

const time = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-05-14T09:30:00.000Z'] })

const status = Type.Enum(['open', 'done', 'completed', 'cancelled'], {
  type: 'string',
  description: 'Starts as open; any move is allowed.',
})

const fields = {
  priority: nullable(Type.String({ description: 'Any name.', maxLength: 64, examples: ['high'] })),
  category: nullable(Type.String({ description: 'Any name.', maxLength: 64, examples: ['call'] })),
  due_at: nullable(time('When it is due, ISO 8601 with any offset; kept and shown as UTC.')),
  contact_id: nullable(Type.String({ format: 'uuid', description: 'The contact it is about.' })),
}

const title = Type.String({ description: 'What is to be done.', minLength: 1, maxLength: 500, examples: ['Call Ada'] })

const serverFields = {
  completed_at: nullable(time('When it was done or completed; null otherwise.')),
  created_at: time('When it was created, UTC.'),
  updated_at: time('When it was last changed, UTC.'),
}

const serverSetFields = {
  id: serverSet(id),
  completed_at: serverSet(serverFields.completed_at),
  created_at: serverSet(serverFields.created_at),
  updated_at: serverSet(serverFields.updated_at),
}

export const Task = Type.Object(
  { id, title, ...fields, status, ...serverFields },
  { $id: 'Task', additionalProperties: false, description: 'Something to do, perhaps about a contact.' },
)
export type Task = Static<typeof Task>

export const TaskInput = Type.Object(
  { title, ...optional(fields), status: serverSet(status), ...serverSetFields },
  { $id: 'TaskInput', additionalProperties: false, description: 'A new task; it starts as open.' },
)
export type TaskInput = Static<typeof TaskInput>

export const TaskPatch = Type.Object(
  { ...optional({ title, ...fields, status }), ...serverSetFields },
  { $id: 'TaskPatch', additionalProperties: false, description: 'The fields to change; null clears a field.' },
)
export type TaskPatch = Static<typeof TaskPatch>

export const TaskQuery = Type.Object({ ...pageFields, status: Type.Optional(status) }, { additionalProperties: false })
export type TaskQuery = Static<typeof TaskQuery>
