/** The tasks page: tasks in groups, each of which pages by itself. */
import { type Static, Type } from 'typebox'
import { Contact } from '../contacts/schema.ts'
import { listOf, pageFields } from '../http/paging.ts'
import { Task } from './schema.ts'

/** The first five hold what is open, by when it is due; `done` holds completed ones too. */
export const TASK_GROUPS = ['overdue', 'today', 'week', 'later', 'none', 'done', 'cancelled'] as const

export type TaskGroup = (typeof TASK_GROUPS)[number]

export const TASK_TABS = ['open', 'done', 'cancelled'] as const

export type TaskTab = (typeof TASK_TABS)[number]

export const TaskRow = Type.Object(
  {
    ...Task.properties,
    contact: Type.Unsafe<{ id: string; name: string } | null>({
      type: ['object', 'null'],
      properties: { id: Contact.properties.id, name: Type.String({ description: 'Else the company.' }) },
      required: ['id', 'name'],
      additionalProperties: false,
    }),
  },
  { $id: 'TaskRow', additionalProperties: false },
)
export type TaskRow = Static<typeof TaskRow>

const group = Type.Enum([...TASK_GROUPS], { type: 'string' })

export const TaskGroups = Type.Object(
  {
    groups: Type.Array(
      Type.Object(
        { group, count: Type.Integer(), tasks: Type.Array(TaskRow, { description: 'The first of them.' }) },
        { additionalProperties: false },
      ),
    ),
  },
  { $id: 'TaskGroups', additionalProperties: false },
)
export type TaskGroups = Static<typeof TaskGroups>

const bound = (description: string) => Type.String({ format: 'date-time', description })

const filters = {
  category: Type.Optional(Type.String({ description: 'Exactly this category.', maxLength: 64 })),
  contact_id: Type.Optional(Type.String({ description: 'Of this contact alone.', maxLength: 36 })),
  now: bound('What is due before it is overdue.'),
  tomorrow: bound('When the day of who asks ends.'),
  week_end: bound('When the seventh day after today ends there.'),
}

export const TaskGroupsQuery = Type.Object(
  { tab: Type.Enum([...TASK_TABS], { type: 'string', default: 'open' }), ...filters },
  { additionalProperties: false },
)
export type TaskGroupsQuery = Static<typeof TaskGroupsQuery>

export const TaskGroupQuery = Type.Object({ group, ...filters, ...pageFields }, { additionalProperties: false })
export type TaskGroupQuery = Static<typeof TaskGroupQuery>

export const TaskRows = listOf(TaskRow)
