import type { Reader, Tx } from '../database/engine.ts'

const FINGERPRINT = 'key_fingerprint'

export async function fingerprintOf(db: Reader): Promise<string | undefined> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', FINGERPRINT).executeTakeFirst()
  return row?.value
}

/** @returns the one that is kept: of two processes that begin at once, the first one's */
export async function keepFingerprint(tx: Tx, fingerprint: string): Promise<string> {
  await tx
    .insertInto('meta')
    .values({ key: FINGERPRINT, value: fingerprint })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
  return (await fingerprintOf(tx))!
}
