/** Sends what has failed again, bit by bit and as fast as it was asked for, whoever goes away meanwhile. */
import { type Actor, LANE_IMPORT } from '../actor.ts'
import { now, toIso } from '../clock.ts'
import type { Database, Reader, Tx } from '../database/engine.ts'
import { hint } from '../database/hints.ts'
import type { SendAgainTable } from '../database/schema.ts'
import { firstIdAt } from '../ids.ts'
import { announce } from '../live/announce.ts'
import { requireSubscription } from './actions.ts'
import { redeliverAll } from './delivery-actions.ts'
import { countFailed, failedDeliveries } from './delivery-store.ts'
import { deleteSendAgain, dueSendAgain, moveSendAgain, putSendAgain, sendAgainOf } from './send-again-store.ts'
import { SEND_AGAIN_TOPIC } from './topics.ts'
import type { SendAgainInput, SendingAgain } from './ui-schema.ts'

const BATCH_MAX = 50
const MINUTE_MS = 60_000
/** What is asked for by the minute goes in steps of this length, or one by one where that is slower. */
const PACE_MS = 5_000

/** How many of a subscription's deliveries have failed that were made since a time. @throws ApiError `not_found` */
export async function countFailedSince(db: Database, orgId: string, id: string, since: string): Promise<number> {
  await requireSubscription(db.read, orgId, id)
  return (await countFailed(db.slow, { orgId, subscriptionId: id, fromId: firstIdAt(since) })).count
}

/**
 * Begins to send a subscription's failed deliveries again, the oldest first and behind what people do meanwhile. One
 * that fails once more is not sent a third time. What was under way before ends.
 *
 * @returns how many it is about
 * @throws ApiError `not_found`
 */
export async function sendFailedAgain(
  db: Database,
  { orgId }: Actor,
  id: string,
  { since, per_minute = null }: SendAgainInput,
): Promise<number> {
  await requireSubscription(db.read, orgId, id)
  const fromId = firstIdAt(since)
  const { count, newest } = await countFailed(db.slow, { orgId, subscriptionId: id, fromId })
  if (newest === null) return 0
  await db.write(async (tx) => {
    await requireSubscription(tx, orgId, id)
    await putSendAgain(tx, {
      org_id: orgId,
      subscription_id: id,
      after_id: fromId,
      until_id: newest,
      per_minute,
      total: count,
      done: 0,
      next_at: toIso(now()),
    })
    hint(tx, SEND_AGAIN_TOPIC)
    announce(tx, orgId, 'webhook', id)
  })
  return count
}

/** Leaves the rest as it is. @throws ApiError `not_found` */
export async function stopSendingAgain(tx: Tx, { orgId }: Actor, id: string): Promise<void> {
  await requireSubscription(tx, orgId, id)
  await deleteSendAgain(tx, { orgId, subscriptionId: id })
  announce(tx, orgId, 'webhook', id)
}

/** How far it is; null when there is none. */
export async function sendingAgain(db: Reader, orgId: string, subscriptionId: string): Promise<SendingAgain | null> {
  const row = await sendAgainOf(db, { orgId, subscriptionId })
  return row ? { total: row.total, done: row.done } : null
}

/**
 * Makes the background step that does one batch of whichever turn has come.
 *
 * @returns a step for `startLoop`, which tells how many deliveries it made due
 */
export function sendAgainStep(db: Database): () => Promise<number> {
  return async () => {
    const due = await dueSendAgain(db.read, toIso(now()))
    return due ? db.write((tx) => sendBatch(tx, due)) : 0
  }
}

async function sendBatch(tx: Tx, due: SendAgainTable): Promise<number> {
  const { org_id: orgId, subscription_id: subscriptionId, after_id: afterId, until_id: untilId } = due
  const { max, restMs } = paceOf(due)
  const batch = await failedDeliveries(tx, { orgId, subscriptionId, afterId, untilId, max })
  announce(tx, orgId, 'webhook', subscriptionId)
  const last = batch.at(-1)
  if (!last) {
    await deleteSendAgain(tx, { orgId, subscriptionId })
    return 1
  }
  const next = { after_id: last.id, done: due.done + batch.length, next_at: toIso(now() + restMs) }
  if (!(await moveSendAgain(tx, due, next))) return 1
  await redeliverAll(tx, { orgId, name: 'send-again', lane: LANE_IMPORT }, batch)
  if (batch.length < max) await deleteSendAgain(tx, { orgId, subscriptionId })
  return batch.length
}

function paceOf({ per_minute: perMinute }: SendAgainTable): { max: number; restMs: number } {
  if (perMinute === null) return { max: BATCH_MAX, restMs: 0 }
  const max = Math.min(BATCH_MAX, Math.max(1, Math.floor((perMinute * PACE_MS) / MINUTE_MS)))
  return { max, restMs: Math.round((max * MINUTE_MS) / perMinute) }
}
