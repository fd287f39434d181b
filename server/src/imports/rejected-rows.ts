import type { Reader } from '../database/engine.ts'
import type { RejectedRow } from './schema.ts'
import { type ImportKey, rejectsAfter } from './store.ts'

/** A rejected row can have 100 cells of 16 KiB. */
const REJECTED_AT_ONCE = 20

/** All rejected rows of an import in the order of the file, some at a time. */
export async function* rejectedRows(db: Reader, key: ImportKey): AsyncGenerator<RejectedRow[]> {
  for (let after = 0; ; ) {
    const rows = await rejectsAfter(db, key, after, REJECTED_AT_ONCE)
    if (rows.length === 0) return
    yield rows
    after = rows.at(-1)!.number
  }
}
