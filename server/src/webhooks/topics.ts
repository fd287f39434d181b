/** What the dispatcher is hinted at. */

/** There is something to send. */
export const DELIVERIES_TOPIC = 'deliveries'

/** A subscription was changed. */
export const SUBSCRIPTIONS_TOPIC = 'subscriptions'
