/** Hinted at when there are new events. */
export const EVENTS_TOPIC = 'events'
