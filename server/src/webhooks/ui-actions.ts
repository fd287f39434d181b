/** Subscriptions with what the web app shows beside them. */
import type { Database } from '../database/engine.ts'
import { getSubscription, listSubscriptions } from './actions.ts'
import { everyHour, firstHourOf } from './chart.ts'
import { lastDelivery } from './delivery-actions.ts'
import { hourRows } from './hour-store.ts'
import { sendingAgain } from './send-again-actions.ts'
import type { ListedWebhook, WebhookDetails } from './ui-schema.ts'

const DAY = 24
const WEEK = 7 * DAY

/** All of an org, oldest first, each with its newest delivery and how the last 24 hours went. */
export async function listWebhooks(db: Database, orgId: string): Promise<ListedWebhook[]> {
  const subscriptions = await listSubscriptions(db.read, orgId)
  const hours = await hourRows(db.read, { orgId, fromHour: firstHourOf(DAY) })
  return Promise.all(
    subscriptions.map(async (subscription) => ({
      ...subscription,
      last_delivery: await lastDelivery(db.read, orgId, subscription.id),
      hours: everyHour(
        hours.filter((row) => row.subscription_id === subscription.id),
        DAY,
      ),
    })),
  )
}

/** One, with how the last 7 days went. @throws ApiError `not_found` */
export async function getWebhook(db: Database, orgId: string, id: string): Promise<WebhookDetails> {
  const subscription = await getSubscription(db.read, orgId, id)
  const hours = await hourRows(db.read, { orgId, subscriptionId: id, fromHour: firstHourOf(WEEK) })
  return { ...subscription, hours: everyHour(hours, WEEK), sending_again: await sendingAgain(db.read, orgId, id) }
}
