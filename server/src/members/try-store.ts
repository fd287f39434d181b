import { forUpdate, type Reader, type Tx } from '../database/engine.ts'

/** The times of failed tries under a subject, oldest first, locked until the transaction ends. */
export async function lockedTries(tx: Tx, subject: string, at: string): Promise<number[]> {
  await tx
    .insertInto('sign_in_try')
    .values({ subject, times: '[]', newest_at: at })
    .onConflict((conflict) => conflict.column('subject').doNothing())
    .execute()
  const query = tx.selectFrom('sign_in_try').select('times').where('subject', '=', subject)
  const { times } = await forUpdate(tx, query).executeTakeFirstOrThrow()
  return JSON.parse(times)
}

export async function keepTries(tx: Tx, subject: string, times: number[], at: string): Promise<void> {
  await tx
    .updateTable('sign_in_try')
    .set({ times: JSON.stringify(times), newest_at: at })
    .where('subject', '=', subject)
    .execute()
}

export async function deleteTries(tx: Tx, subject: string): Promise<void> {
  await tx.deleteFrom('sign_in_try').where('subject', '=', subject).execute()
}

export function oldTries(db: Reader, before: string) {
  return db.selectFrom('sign_in_try').select('subject').where('newest_at', '<', before).limit(1).execute()
}

/** @returns how many subjects */
export async function deleteOldTries(tx: Tx, before: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('sign_in_try')
    .where('newest_at', '<', before)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
