import type { Reader, Tx } from '../database/engine.ts'
import type { IdempotencyTable } from '../database/schema.ts'

export interface AnswerKey {
  orgId: string
  tokenId: string
  key: string
}

/**
 * Takes a key for this transaction. Of two at once the second waits here until the first has ended.
 *
 * @returns whether the key was free
 */
export async function claimKey(tx: Tx, row: IdempotencyTable): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('idempotency')
    .values(row)
    .onConflict((conflict) => conflict.columns(['org_id', 'token_id', 'key']).doNothing())
    .executeTakeFirstOrThrow()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export function keptAnswer(tx: Tx, { orgId, tokenId, key }: AnswerKey) {
  return tx
    .selectFrom('idempotency')
    .select(['request_hash', 'location', 'answer', 'created_at'])
    .where('org_id', '=', orgId)
    .where('token_id', '=', tokenId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
}

export async function keepAnswer(
  tx: Tx,
  { orgId, tokenId, key }: AnswerKey,
  kept: Pick<IdempotencyTable, 'contact_id' | 'location' | 'answer'>,
): Promise<void> {
  await tx
    .updateTable('idempotency')
    .set(kept)
    .where('org_id', '=', orgId)
    .where('token_id', '=', tokenId)
    .where('key', '=', key)
    .execute()
}

export async function forgetKey(tx: Tx, { orgId, tokenId, key }: AnswerKey): Promise<void> {
  await tx
    .deleteFrom('idempotency')
    .where('org_id', '=', orgId)
    .where('token_id', '=', tokenId)
    .where('key', '=', key)
    .execute()
}

export function keysBefore(db: Reader, before: string, limit: number) {
  return db
    .selectFrom('idempotency')
    .select(['org_id as orgId', 'token_id as tokenId', 'key'])
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(limit)
    .execute()
}
