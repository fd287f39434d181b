/** Made-up payloads, for trying a receiver. */
import type { Contact } from '../contacts/schema.ts'
import type { Task } from '../tasks/schema.ts'
import type { EventName } from './names.ts'

const contact: Contact = {
  id: '00000000-0000-7000-8000-000000000001',
  full_name: 'Ada Lovelace (sample)',
  company: 'Analytical Engines Ltd',
  email: 'ada@example.com',
  phone: '+44 20 7946 0000',
  location: 'London, United Kingdom',
  deal_stage: 'qualified',
  deal_value: 48200,
  label: 'hot',
  tags: ['sample'],
  created_at: '2026-05-14T09:30:00.000Z',
  updated_at: '2026-05-15T14:05:21.480Z',
}

const task: Task = {
  id: '00000000-0000-7000-8000-000000000002',
  title: 'Call Ada (sample)',
  priority: 'high',
  category: 'call',
  due_at: '2026-05-18T08:00:00.000Z',
  contact_id: contact.id,
  status: 'open',
  completed_at: null,
  created_at: '2026-05-14T09:31:12.250Z',
  updated_at: '2026-05-14T09:31:12.250Z',
}

const done = {
  status: 'done',
  completed_at: '2026-05-18T08:12:40.017Z',
  updated_at: '2026-05-18T08:12:40.017Z',
} as const

const PAYLOADS: Record<EventName, object> = {
  'contact.created': { contact },
  'contact.updated': { contact, changed: ['deal_stage'] },
  'contact.deleted': { contact },
  'deal.stage_changed': { contact, new_stage: 'qualified', previous_stage: 'lead' },
  'task.created': { task },
  'task.completed': { task: { ...task, ...done } },
}

/** The payload of an event, of the same shape as a real one, about records that nobody has. */
export function samplePayload(event: EventName): object {
  return PAYLOADS[event]
}
