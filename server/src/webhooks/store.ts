/** Subscriptions. */
import type { Reader, Tx } from '../database/engine.ts'
import type { SubscriptionTable } from '../database/schema.ts'

export interface SubscriptionKey {
  orgId: string
  id: string
}

export const LISTED_COLUMNS = [
  'id',
  'url',
  'events',
  'note',
  'paused_at',
  'previous_secret_until',
  'created_at',
] as const

export type SubscriptionRow = Pick<SubscriptionTable, (typeof LISTED_COLUMNS)[number]>

export async function insertSubscription(tx: Tx, row: SubscriptionTable): Promise<void> {
  await tx.insertInto('subscription').values(row).execute()
}

/** All of an org, oldest first. */
export function subscriptionRows(db: Reader, orgId: string): Promise<SubscriptionRow[]> {
  return db
    .selectFrom('subscription')
    .select(LISTED_COLUMNS)
    .where('org_id', '=', orgId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
}

export function subscriptionById(db: Reader, key: SubscriptionKey): Promise<SubscriptionRow | undefined> {
  return db
    .selectFrom('subscription')
    .select(LISTED_COLUMNS)
    .where('org_id', '=', key.orgId)
    .where('id', '=', key.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** @returns the subscription as it is after the change; undefined when the org has none with this id */
export function updateSubscription(
  tx: Tx,
  key: SubscriptionKey,
  change: Partial<Omit<SubscriptionTable, 'org_id' | 'id' | 'created_at'>>,
): Promise<SubscriptionRow | undefined> {
  return tx
    .updateTable('subscription')
    .set(change)
    .where('org_id', '=', key.orgId)
    .where('id', '=', key.id)
    .where('deleted_at', 'is', null)
    .returning(LISTED_COLUMNS)
    .executeTakeFirst()
}

/** Puts a new secret in place of the current one, which stays as the previous one. @returns whether it is there */
export async function replaceSecret(
  tx: Tx,
  key: SubscriptionKey,
  { secret, previousUntil }: { secret: Uint8Array; previousUntil: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('subscription')
    .set((eb) => ({ previous_secret: eb.ref('secret'), previous_secret_until: previousUntil, secret }))
    .where('org_id', '=', key.orgId)
    .where('id', '=', key.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
