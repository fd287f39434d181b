/** The work of an import: its rows, in batches that each are one transaction. */
import { type Actor, LANE_IMPORT } from '../actor.ts'
import { contactIdsByKey, matchKeyOf } from '../contacts/match-actions.ts'
import { NewContacts } from '../contacts/new-contact-actions.ts'
import type { ContactInput } from '../contacts/schema.ts'
import type { Database, Tx } from '../database/engine.ts'
import { guarded } from '../text/csv.ts'
import type { Row } from '../text/csv-rows.ts'
import { Changes } from './changes.ts'
import { type Converted, compileConvert, plainCells } from './convert.ts'
import { KeySet } from './key-set.ts'
import { type Counts, type Mapping, type Match, NO_COUNTS, type Refusal, type RejectedRow } from './schema.ts'
import { type Format, readRows, type SourceFile } from './source-file.ts'
import { StageCheck } from './stage-check.ts'
import { advanceJob, eraseRejectsBetween, type ImportKey, insertRejects } from './store.ts'
import { addContact, updateContact } from './take-row.ts'
import { Turns } from './turns.ts'

export interface ImportPlan {
  file: SourceFile
  format: Format
  mapping: Mapping
  match: Match
  /** For every contact. */
  tag: string | null
}

/** Rows as somebody has corrected them, by their number. */
export type Fixes = ReadonlyMap<number, readonly string[]>

const NO_FIXES: Fixes = new Map()

export interface Progress extends Counts {
  bytesRead: number
}

export type OnProgress = (progress: Progress) => void

const CHECKED_ROWS_MAX = 200

/** The import is not where this process left it: another works it, or somebody has stopped it. */
export class LostImport extends Error {}

export interface Taking {
  /** Up to where an earlier run has come. */
  counts: Counts
  /** The process that works it; empty for a command. */
  owner: string
  fixes?: Fixes
  /** Whether rejected rows of a check are there, which those of the import take the place of. */
  wasChecked?: boolean
  /** Called in the transaction of each batch. */
  onBatch?: (tx: Tx) => void
}

/**
 * Takes in all rows that `counts` does not cover yet, batch by batch.
 *
 * A batch's contacts, its rejected rows and the new counts are one transaction: whenever this is broken off, going on
 * from the stored counts neither loses a row nor takes one twice.
 *
 * @returns how far it has come, after each batch
 * @throws ApiError `validation` at `file` when it has changed; LostImport
 */
export async function* takeRows(
  db: Database,
  key: ImportKey,
  plan: ImportPlan,
  { counts, owner, fixes = NO_FIXES, wasChecked = false, onBatch = () => {} }: Taking,
): AsyncGenerator<Progress> {
  const actor = importActor(key)
  const turns = new Turns(db.engine)
  let done = counts
  const atOnce = { skip: counts.rows_read, rowsMax: () => turns.rowsMax }
  for await (const { rows, bytesRead } of convertedRows(plan, fixes, atOnce)) {
    for (let from = 0; from < rows.length; ) {
      const before = done
      done = await db.write(async (tx) => {
        turns.begin()
        const some = rows.slice(from, from + turns.rowsMax)
        const { match } = plan
        const batch = await takeBatch(tx, { key, actor, match, rows: some, turns, wasChecked })
        const after = sum(before, batch)
        onBatch(tx)
        if (await advanceJob(tx, key, { state: 'running', owner, before, after, bytesRead })) return after
        throw new LostImport('Another process is importing this file at the same time. This one has stopped.')
      })
      const taken = done.rows_read - before.rows_read
      from += taken
      turns.end(taken)
      yield { ...done, bytesRead }
      await turns.next()
    }
  }
}

/** Who an import is, in the history of the contacts that it adds. */
export function importActor({ orgId, id }: ImportKey): Actor {
  return { orgId, name: `import:${id}`, lane: LANE_IMPORT }
}

/** Some rows of a check. */
export interface CheckedRows {
  /** Of all rows so far. */
  counts: Counts
  bytesRead: number
  /** The numbers of the first and the last of these rows. */
  span: { first: number; last: number }
  rejected: RejectedRow[]
}

/**
 * Reads and checks all rows as `takeRows` does, some at a time, and writes nothing.
 *
 * Rows that match each other count as they will: the second of two with one address updates the contact of the first.
 */
export async function* checkRows(
  db: Database,
  orgId: string,
  plan: ImportPlan,
  fixes: Fixes = NO_FIXES,
): AsyncGenerator<CheckedRows> {
  const { match } = plan
  const stages = new StageCheck(db, orgId)
  const seen = new KeySet()
  let counts = NO_COUNTS
  for await (const { rows, bytesRead } of convertedRows(plan, fixes, { skip: 0, rowsMax: () => CHECKED_ROWS_MAX })) {
    const known = await contactIdsByKey(db.read, orgId, { on: match.on, keys: keysOf(rows, match) })
    const rejected: RejectedRow[] = []
    const tally = { ...counts }
    for (const { row, converted } of rows) {
      const matchKey = keyOf(converted, match)
      const isKnown = matchKey !== undefined && (known.has(matchKey) || seen.has(matchKey))
      const refusal = converted.refusal ?? (await stages.refusalOf(converted.input, { isKnown, match }))
      tally.rows_read++
      if (refusal) rejected.push(rejectedRow(row, refusal))
      else if (matchKey !== undefined) seen.add(matchKey)
      tally[refusal ? 'rows_rejected' : isKnown ? KNOWN_COUNT[match.known] : 'rows_added']++
    }
    counts = tally
    yield { counts, bytesRead, span: spanOf(rows), rejected }
  }
}

/** Where a row counts that is about a contact that is there. */
export const KNOWN_COUNT = {
  skip: 'rows_skipped',
  fill: 'rows_updated',
  update: 'rows_updated',
  add: 'rows_added',
} as const satisfies Record<Match['known'], keyof Counts>

interface ConvertedRow {
  row: Row
  converted: Converted
}

/** The rows below the header, without the first `skip` of them, so many at a time. */
async function* convertedRows(
  { file, format, mapping, tag }: ImportPlan,
  fixes: Fixes,
  { skip, rowsMax }: { skip: number; rowsMax: () => number },
): AsyncGenerator<{ rows: ConvertedRow[]; bytesRead: number }> {
  const convert = compileConvert(mapping, tag)
  const take = (count: number): ConvertedRow[] =>
    waiting.splice(0, count).map((found) => {
      const row = fixedRow(found, fixes)
      return { row, converted: convert(row) }
    })
  const waiting: Row[] = []
  let toSkip = skip + 1
  for await (const { rows, bytesRead } of readRows(file, format)) {
    const skipped = Math.min(toSkip, rows.length)
    toSkip -= skipped
    waiting.push(...rows.slice(skipped))
    while (waiting.length >= rowsMax()) yield { rows: take(rowsMax()), bytesRead }
  }
  if (waiting.length > 0) yield { rows: take(waiting.length), bytesRead: file.bytes }
}

/** @param fixes hold plain cells: the guard is put on, for the conversion to take off */
export function fixedRow(row: Row, fixes: Fixes): Row {
  const cells = fixes.get(row.number)
  return cells ? { number: row.number, cells: cells.map(guarded) } : row
}

interface Batch {
  key: ImportKey
  actor: Actor
  match: Match
  rows: readonly ConvertedRow[]
  turns: Turns
  wasChecked: boolean
}

async function takeBatch(tx: Tx, { key, actor, match, rows, turns, wasChecked }: Batch): Promise<Counts> {
  const known = await contactIdsByKey(tx, key.orgId, { on: match.on, keys: keysOf(rows, match) })
  const added = new NewContacts(tx, actor)
  const changes = new Changes(key)
  const rejected: RejectedRow[] = []
  const counts = { ...NO_COUNTS }
  let at = 0
  do {
    const { row, converted } = rows[at]!
    const outcome = converted.refusal ?? (await takeRow(tx, { actor, match, known, added, changes }, converted.input))
    counts.rows_read++
    if (typeof outcome === 'string') counts[outcome]++
    else {
      counts.rows_rejected++
      rejected.push(rejectedRow(row, outcome))
    }
    at++
  } while (at < rows.length && !turns.isUp)
  if (wasChecked) await eraseRejectsBetween(tx, key, spanOf(rows.slice(0, at)))
  await insertRejects(tx, key, rejected)
  await added.save()
  await changes.save(tx)
  return counts
}

interface Place {
  actor: Actor
  match: Match
  /** Contacts that are there, those of earlier rows among them. */
  known: Map<string, string>
  added: NewContacts
  changes: Changes
}

/** @returns which count the row goes to, or why it is refused, before anything was written */
async function takeRow(
  tx: Tx,
  { actor, match, known, added, changes }: Place,
  input: ContactInput,
): Promise<Exclude<keyof Counts, 'rows_read'> | Refusal> {
  const { on, known: how } = match
  const matchKey = how === 'add' ? undefined : matchKeyOf(on, input)
  const knownId = matchKey === undefined ? undefined : known.get(matchKey)
  if (how !== 'add' && knownId !== undefined) {
    if (how === 'skip') return 'rows_skipped'
    // Of an earlier row of this batch.
    if (added.isWaiting(knownId)) await added.save()
    const refusal = await updateContact(tx, actor, { id: knownId, input, how, changes })
    // It may have been deleted since it was looked up: then the row is a new contact.
    if (refusal !== 'gone') return refusal ?? 'rows_updated'
  }
  const outcome = await addContact(added, { input, changes })
  if (typeof outcome !== 'string') return outcome
  if (matchKey !== undefined) known.set(matchKey, outcome)
  return 'rows_added'
}

function keyOf({ input }: Converted, { on, known }: Match): string | undefined {
  return known === 'add' || !input ? undefined : matchKeyOf(on, input)
}

function keysOf(rows: readonly ConvertedRow[], match: Match): string[] {
  return rows.map(({ converted }) => keyOf(converted, match)).filter((found) => found !== undefined)
}

function rejectedRow(row: Row, { reason, cell }: Refusal): RejectedRow {
  return { number: row.number, cells: plainCells(row), reason, cell }
}

function spanOf(rows: readonly ConvertedRow[]): { first: number; last: number } {
  return { first: rows[0]!.row.number, last: rows.at(-1)!.row.number }
}

function sum(one: Counts, other: Counts): Counts {
  return {
    rows_read: one.rows_read + other.rows_read,
    rows_added: one.rows_added + other.rows_added,
    rows_updated: one.rows_updated + other.rows_updated,
    rows_skipped: one.rows_skipped + other.rows_skipped,
    rows_rejected: one.rows_rejected + other.rows_rejected,
  }
}
