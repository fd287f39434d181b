/** The failed deliveries that are being made due again, one row for each subscription that has some. */
import type { Reader, Tx } from '../database/engine.ts'
import type { SendAgainTable } from '../database/schema.ts'

/** Puts a new one in place of one that is under way. */
export async function putSendAgain(tx: Tx, row: SendAgainTable): Promise<void> {
  await tx
    .insertInto('send_again')
    .values(row)
    .onConflict((conflict) => {
      const { org_id: _, subscription_id: __, ...columns } = row
      return conflict.columns(['org_id', 'subscription_id']).doUpdateSet(columns)
    })
    .execute()
}

export interface SendAgainKey {
  orgId: string
  subscriptionId: string
}

export function sendAgainOf(db: Reader, { orgId, subscriptionId }: SendAgainKey): Promise<SendAgainTable | undefined> {
  return db
    .selectFrom('send_again')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirst()
}

/** The one whose turn came first, of any org. */
export function dueSendAgain(db: Reader, at: string): Promise<SendAgainTable | undefined> {
  return db
    .selectFrom('send_again')
    .selectAll()
    .where('next_at', '<=', at)
    .orderBy('next_at')
    .orderBy('org_id')
    .orderBy('subscription_id')
    .limit(1)
    .executeTakeFirst()
}

/** @returns false when it has moved on meanwhile, has ended, or begun anew */
export async function moveSendAgain(
  tx: Tx,
  before: SendAgainTable,
  change: Pick<SendAgainTable, 'after_id' | 'done' | 'next_at'>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('send_again')
    .set(change)
    .where('org_id', '=', before.org_id)
    .where('subscription_id', '=', before.subscription_id)
    .where('after_id', '=', before.after_id)
    .where('until_id', '=', before.until_id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** @returns whether there was one */
export async function deleteSendAgain(tx: Tx, { orgId, subscriptionId }: SendAgainKey): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('send_again')
    .where('org_id', '=', orgId)
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
