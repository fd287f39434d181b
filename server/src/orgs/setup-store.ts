import { forUpdate, type Reader, type Tx } from '../database/engine.ts'

const CODE = 'setup_code_hash'
const TRIES = 'setup_code_tries'

/** Keeps the hash of the set-up code, with no wrong try yet; undefined removes it. Of servers that start at once the last one's stays. */
export async function keepSetupCode(tx: Tx, codeHash: string | undefined): Promise<void> {
  if (codeHash === undefined) {
    await tx.deleteFrom('meta').where('key', 'in', [CODE, TRIES]).execute()
    return
  }
  await tx
    .insertInto('meta')
    .values([
      { key: CODE, value: codeHash },
      { key: TRIES, value: '0' },
    ])
    .onConflict((conflict) => conflict.column('key').doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })))
    .execute()
}

/** The hash of the set-up code and how many wrong ones were tried, locked until the transaction ends. */
export async function lockedSetupCode(tx: Tx): Promise<{ hash: string; tries: number } | undefined> {
  const query = tx.selectFrom('meta').selectAll().where('key', 'in', [CODE, TRIES]).orderBy('key')
  const rows = new Map((await forUpdate(tx, query).execute()).map(({ key, value }) => [key, value]))
  const hash = rows.get(CODE)
  return hash === undefined ? undefined : { hash, tries: Number(rows.get(TRIES)) }
}

export async function keepSetupTries(tx: Tx, tries: number): Promise<void> {
  await tx
    .updateTable('meta')
    .set({ value: String(tries) })
    .where('key', '=', TRIES)
    .execute()
}

export async function hasSetupCode(db: Reader): Promise<boolean> {
  return (await db.selectFrom('meta').select('key').where('key', '=', CODE).executeTakeFirst()) !== undefined
}
