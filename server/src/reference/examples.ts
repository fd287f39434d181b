/** One story, told by the examples of the reference: Ada is added, her deal moves on, and she is to be called. */
import type { Contact, ContactInput, ContactListItem } from '../contacts/schema.ts'
import type { Deal } from '../deals/schema.ts'
import type { EventName } from '../events/names.ts'
import type { Task, TaskInput, TaskPatch } from '../tasks/schema.ts'

interface Example {
  request?: object
  answer: object
}

const added: Contact = {
  id: '0196ceb0-5c1e-7a3d-8f00-2b1d9c4e7a10',
  full_name: 'Ada Lovelace',
  company: 'Analytical Engines Ltd',
  email: 'ada@example.com',
  phone: null,
  location: 'London, United Kingdom',
  deal_stage: 'lead',
  deal_value: 48200,
  label: 'hot',
  tags: ['fintech', 'berlin'],
  created_at: '2026-05-14T09:30:00.000Z',
  updated_at: '2026-05-14T09:30:00.000Z',
}

const moved: Contact = { ...added, deal_stage: 'qualified', updated_at: '2026-05-15T14:05:21.480Z' }

const asked: Task = {
  id: '0196ceb0-7d22-7c11-9a00-51c0de6f8b21',
  title: 'Call Ada',
  priority: 'high',
  category: 'call',
  due_at: '2026-05-18T08:00:00.000Z',
  contact_id: added.id,
  status: 'open',
  completed_at: null,
  created_at: '2026-05-14T09:31:12.250Z',
  updated_at: '2026-05-14T09:31:12.250Z',
}

const done: Task = {
  ...asked,
  status: 'done',
  completed_at: '2026-05-18T08:12:40.017Z',
  updated_at: '2026-05-18T08:12:40.017Z',
}

const { id, full_name, company, deal_stage, deal_value, label } = moved

/** By `operationId`. */
export const OPERATION_EXAMPLES: Record<string, Example> = {
  listContacts: listing({ id, full_name, company, deal_stage, deal_value, label } satisfies ContactListItem),
  createContact: {
    request: {
      full_name: 'Ada Lovelace',
      company: 'Analytical Engines Ltd',
      email: 'ada@example.com',
      location: 'London, United Kingdom',
      deal_stage: 'lead',
      deal_value: 48200,
      label: 'hot',
      tags: ['fintech', 'berlin'],
    } satisfies ContactInput,
    answer: added,
  },
  getContact: { answer: moved },
  changeContact: { request: { deal_stage: 'qualified' } satisfies ContactInput, answer: moved },
  deleteContact: { answer: { id, deleted: true } },
  listDeals: listing({ id, full_name, company, deal_stage: 'qualified', deal_value } satisfies Deal),
  listTasks: listing(asked),
  createTask: {
    request: {
      title: 'Call Ada',
      priority: 'high',
      category: 'call',
      due_at: '2026-05-18T10:00:00+02:00',
      contact_id: id,
    } satisfies TaskInput,
    answer: asked,
  },
  changeTask: { request: { status: 'done' } satisfies TaskPatch, answer: done },
}

export const EVENT_EXAMPLES: Record<EventName, { event: EventName; ts: string; payload: object }> = {
  'contact.created': { event: 'contact.created', ts: added.created_at, payload: { contact: added } },
  'contact.updated': {
    event: 'contact.updated',
    ts: moved.updated_at,
    payload: { contact: moved, changed: ['deal_stage'] },
  },
  'contact.deleted': { event: 'contact.deleted', ts: '2026-06-02T16:20:05.331Z', payload: { contact: moved } },
  'deal.stage_changed': {
    event: 'deal.stage_changed',
    ts: '2026-05-15T14:05:21.481Z',
    payload: { contact: moved, new_stage: 'qualified', previous_stage: 'lead' },
  },
  'task.created': { event: 'task.created', ts: asked.created_at, payload: { task: asked } },
  'task.completed': { event: 'task.completed', ts: done.updated_at, payload: { task: done } },
}

function listing(record: object): Example {
  return { answer: { data: [record], meta: { count: 1, limit: 50, offset: 0 } } }
}
