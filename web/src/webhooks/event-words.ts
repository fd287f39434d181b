import type { EventName } from '@server/events/names.ts'

/** When each event is sent, in one line. */
export const EVENT_WORDS: Record<EventName, string> = {
  'contact.created': 'A contact is added, by whatever way.',
  'contact.updated': 'A field of a contact is changed.',
  'contact.deleted': 'A contact is deleted.',
  'deal.stage_changed': 'A deal moves to another stage.',
  'task.created': 'A task is added.',
  'task.completed': 'A task is done.',
}

/** "All events", "contact.created", "3 events" */
export function eventsText(events: readonly string[]): string {
  if (events.length === Object.keys(EVENT_WORDS).length) return 'All events'
  return events.length === 1 ? events[0]! : `${events.length} events`
}
