/** The six events of contract v1, in the order in which they are documented. */
export const EVENT_NAMES = [
  'contact.created',
  'contact.updated',
  'contact.deleted',
  'deal.stage_changed',
  'task.created',
  'task.completed',
] as const

export type EventName = (typeof EVENT_NAMES)[number]
