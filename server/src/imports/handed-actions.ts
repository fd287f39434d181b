/** Imports of another feature's: it hands over all rows at once, and says how each of them becomes a contact. */
import { setTimeout as rest } from 'node:timers/promises'
import type { Actor } from '../actor.ts'
import { now, toIso } from '../clock.ts'
import type { Contact } from '../contacts/schema.ts'
import type { Database, Reader, Tx } from '../database/engine.ts'
import { hint } from '../database/hints.ts'
import type { ImportState } from '../database/schema.ts'
import { newId } from '../ids.ts'
import { announce } from '../live/announce.ts'
import { addedAmong } from './change-store.ts'
import { insertParts } from './file-store.ts'
import { type Counts, NO_COUNTS } from './schema.ts'
import { PIECE_BYTES } from './source-file.ts'
import { type ImportJob, type ImportKey, insertJob, jobById } from './store.ts'
import { IMPORTS_TOPIC } from './topics.ts'

/** Makes a contact of a row. @returns undefined, and nothing is written, when the org has it already */
export type TakeHanded = (tx: Tx, actor: Actor, row: unknown) => Promise<Contact | undefined>

/** Who takes the rows of each such import. */
export type Takers = Partial<Record<ImportJob['source'], TakeHanded>>

export interface Handed {
  source: 'places'
  /** Where the rows come from, for people. */
  name: string
  /** Plain JSON. */
  rows: readonly unknown[]
}

/** Begins an import of rows that are ready. They are kept until all have been taken, whoever does it. */
export async function beginHanded(tx: Tx, actor: Actor, { source, name, rows }: Handed): Promise<ImportKey> {
  const key = { orgId: actor.orgId, id: newId() }
  const at = toIso(now())
  const bytes = Buffer.from(JSON.stringify(rows))
  await insertJob(tx, {
    id: key.id,
    org_id: key.orgId,
    source,
    file_name: name,
    // What two imports with the same text share: here none does.
    file_hash: key.id,
    file_bytes: bytes.length,
    mapping: JSON.stringify(NO_PLAN),
    state: 'running',
    ...NO_COUNTS,
    created_by: actor.name,
    has_file: 1,
    started_at: at,
    touched_at: at,
    finished_at: null,
  })
  const starts = Array.from({ length: Math.ceil(bytes.length / PIECE_BYTES) }, (_, part) => part * PIECE_BYTES)
  const parts = starts.map((start, part) => ({ part, bytes: bytes.subarray(start, start + PIECE_BYTES) }))
  await insertParts(tx, key, parts)
  hint(tx, IMPORTS_TOPIC)
  announce(tx, key.orgId, 'import', key.id)
  return key
}

/** Where the pages of imports look for how a file was read. */
const NO_PLAN = {
  format: { encoding: 'utf-8', delimiter: ',' },
  mapping: { columns: [], decimalMark: '.' },
  tag: null,
  match: { on: 'email', known: 'add' },
}

const LOOK_MS = 25

/** Waits until an import has ended, at most so long. @returns how far it has come then */
export async function endOfImport(
  db: Database,
  key: ImportKey,
  msMax: number,
): Promise<{ state: ImportState; counts: Counts }> {
  const endsAt = performance.now() + msMax
  for (;;) {
    const job = await jobById(db.read, key)
    if (job?.state !== 'running' || performance.now() >= endsAt) {
      return { state: job?.state ?? 'removed', counts: job ?? NO_COUNTS }
    }
    await rest(LOOK_MS)
  }
}

/** Which of these contacts the import has added. */
export async function addedBy(db: Reader, key: ImportKey, contactIds: readonly string[]): Promise<Set<string>> {
  return new Set(await addedAmong(db, key, contactIds))
}
