import { now, toIso } from '../clock.ts'
import type { Database } from '../database/engine.ts'
import {
  deletedSubscription,
  deliveriesOf,
  eraseDeliveries,
  eraseEvents,
  eraseHoursBefore,
  eraseSubscription,
  eventsBefore,
  finishedBefore,
  lockSubscription,
} from './erasure-store.ts'

const BATCH = 200
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * Makes the background step that erases what nobody is to see any more: deliveries that ended more than `deliveryDays`
 * ago with their attempts and events, the counts of those days, events of that age that never had a delivery, and all
 * of a deleted subscription.
 *
 * @returns a step for `startLoop`; it works off one bounded batch of each and returns how many rows it looked at
 */
export function retentionStep(db: Database, { deliveryDays }: { deliveryDays: number }): () => Promise<number> {
  let after: { ts: string; id: string } | undefined
  let hoursErasedAt = 0

  return async () => {
    const before = toIso(now() - deliveryDays * DAY_MS)
    await eraseOldHours()
    return (await eraseFinished(before)) + (await eraseLoneEvents(before)) + (await eraseDeletedSubscription())
  }

  /** What the charts count by the hour, once an hour. */
  async function eraseOldHours(): Promise<void> {
    const hour = Math.floor(now() / HOUR_MS)
    if (hour === hoursErasedAt) return
    await db.write((tx) => eraseHoursBefore(tx, hour - deliveryDays * 24))
    hoursErasedAt = hour
  }

  async function eraseFinished(before: string): Promise<number> {
    if ((await finishedBefore(db.read, before, 1)).length === 0) return 0
    return db.write(async (tx) => {
      const keys = await finishedBefore(tx, before, BATCH)
      if (keys.length > 0) await eraseDeliveries(tx, keys)
      return keys.length
    })
  }

  /** Goes through all old events bit by bit: those with deliveries that are still due stay and would be met again. */
  async function eraseLoneEvents(before: string): Promise<number> {
    const events = await eventsBefore(db.read, before, { after, max: BATCH })
    after = events.at(-1)
    if (events.length > 0) await db.write((tx) => eraseEvents(tx, events))
    return events.length
  }

  async function eraseDeletedSubscription(): Promise<number> {
    const subscription = await deletedSubscription(db.read)
    if (!subscription) return 0
    return db.write(async (tx) => {
      await lockSubscription(tx, subscription)
      const keys = await deliveriesOf(tx, subscription, BATCH)
      if (keys.length > 0) await eraseDeliveries(tx, keys)
      else await eraseSubscription(tx, subscription)
      return keys.length + 1
    })
  }
}
