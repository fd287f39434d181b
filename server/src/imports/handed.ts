/** The work of an import whose rows another feature has handed over. */
import { now, toIso } from '../clock.ts'
import type { Tx } from '../database/engine.ts'
import { isUniqueViolation } from '../database/faults.ts'
import { Changes } from './changes.ts'
import { countsOf, type Doing, finish, requireOwn } from './doing.ts'
import { eraseParts } from './file-store.ts'
import type { TakeHanded } from './handed-actions.ts'
import { importActor } from './job.ts'
import type { Counts } from './schema.ts'
import { advanceJob } from './store.ts'
import { keyOf, storedPieces } from './stored-file.ts'
import { Turns } from './turns.ts'

const AT_ONCE = 50

/**
 * Takes the rows that no earlier run has come to, batch by batch, each in one transaction with the new counts.
 *
 * @throws ApiError `validation` at the first row that the org's rules refuse; LostImport
 */
export async function* takeHanded(doing: Doing, take: TakeHanded): AsyncGenerator<void> {
  const { db } = doing
  const rows = await handedRows(doing)
  const turns = new Turns(db.engine)
  for (let counts = countsOf(doing.job); counts.rows_read < rows.length; ) {
    counts = await unlessThere(() => db.write((tx) => takeSome(tx, doing, { rows, take, counts, turns })))
    yield
    await turns.next()
  }
  await finish(doing, { state: 'done', finished_at: toIso(now()) })
  // At once, so that nothing of a contact outlives it here; after a crash the retention of imports does it.
  await db.write((tx) => eraseParts(tx, keyOf(doing.job), rows.length))
}

async function handedRows({ db, job }: Doing): Promise<unknown[]> {
  const pieces: Uint8Array[] = []
  for await (const piece of storedPieces(db, keyOf(job), job.file_bytes)) pieces.push(piece)
  return JSON.parse(Buffer.concat(pieces).toString())
}

interface Some {
  rows: readonly unknown[]
  take: TakeHanded
  counts: Counts
  turns: Turns
}

async function takeSome(tx: Tx, { job, owner, tell }: Doing, { rows, take, counts, turns }: Some): Promise<Counts> {
  turns.begin()
  const key = keyOf(job)
  const actor = importActor(key)
  const changes = new Changes(key)
  const after = { ...counts }
  for (const row of rows.slice(counts.rows_read, counts.rows_read + AT_ONCE)) {
    const contact = await take(tx, actor, row)
    after.rows_read++
    after[contact ? 'rows_added' : 'rows_skipped']++
    if (contact) changes.added(contact)
    if (turns.isUp) break
  }
  await changes.save(tx)
  const isOwn = await advanceJob(tx, key, { state: 'running', owner, before: counts, after, bytesRead: job.file_bytes })
  requireOwn(isOwn)
  tell(tx)
  return after
}

/** Does it once more where somebody else was adding the same: then it is there to be seen. */
async function unlessThere<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!isUniqueViolation(error) || tries === AT_ONCE) throw error
    }
  }
}
