/** What the dispatcher is hinted at. */

/** There is something to send. */
export const DELIVERIES_TOPIC = 'deliveries'

/** A subscription was changed. */
export const SUBSCRIPTIONS_TOPIC = 'subscriptions'

/** Failed deliveries are to be sent again. */
export const SEND_AGAIN_TOPIC = 'send-again'
