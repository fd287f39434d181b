/** Takes in a file that is uploaded: into the database, part by part, for any process to read. */
import type { Actor } from '../actor.ts'
import { now, toIso } from '../clock.ts'
import type { Database } from '../database/engine.ts'
import { ApiError, validationError } from '../http/errors.ts'
import { newId } from '../ids.ts'
import { announce } from '../live/announce.ts'
import { insertParts } from './file-store.ts'
import type { ImportPlan } from './job.ts'
import { planFile } from './plan.ts'
import { type Match, NO_COUNTS } from './schema.ts'
import { FileSurvey, PIECE_BYTES } from './source-file.ts'
import { type ImportKey, insertJob, moveJob, waitingUploads } from './store.ts'
import { storedPieces } from './stored-file.ts'

const WAITING_MAX = 20
/** 512 KiB a transaction: on SQLite a larger one would hold the event loop for too long. */
const PARTS_AT_ONCE = 4

export interface Upload {
  /** The file's name, for people. */
  name: string
  bytes: AsyncIterable<Uint8Array>
  bytesMax: number
}

/**
 * Keeps an uploaded file for a day, and decides how it is to be imported.
 *
 * @returns the id of the import
 * @throws ApiError `payload_too_large`; `validation` at `file` when it is no usable CSV file, or too many are waiting
 */
export async function uploadImport(db: Database, actor: Actor, { name, bytes, bytesMax }: Upload): Promise<string> {
  const key = { orgId: actor.orgId, id: newId() }
  await beginUpload(db, actor, key, name)
  try {
    const survey = new FileSurvey()
    await keep(db, key, measured(bytes, survey, bytesMax))
    const { hash, bytes: size, encoding } = survey.end()
    const file = { name, bytes: size, hash, encoding, pieces: () => storedPieces(db, key, size) }
    const { format, mapping } = await planFile(file, { mayLackName: true })
    const hasEmail = mapping.columns.some(({ field }) => field === 'email')
    const match: Match = { on: hasEmail ? 'email' : 'name', known: 'fill' }
    const plan: Omit<ImportPlan, 'file'> = { format, mapping, match, tag: null }
    await db.write(async (tx) => {
      const change = { state: 'uploaded' as const, file_hash: hash, file_bytes: size, mapping: JSON.stringify(plan) }
      await moveJob(tx, key, ['uploading'], { ...change, touched_at: toIso(now()) })
      announce(tx, key.orgId, 'import', key.id)
    })
    return key.id
  } catch (error) {
    await db.write((tx) => moveJob(tx, key, ['uploading'], { state: 'removed' })).catch(() => {})
    throw error
  }
}

async function beginUpload(db: Database, actor: Actor, key: ImportKey, name: string): Promise<void> {
  const at = toIso(now())
  await db.write(async (tx) => {
    if ((await waitingUploads(tx, key.orgId)) >= WAITING_MAX) {
      const message = `${WAITING_MAX} uploaded files wait to be imported. Import or remove one of them first.`
      throw validationError([{ path: 'file', code: 'too_many', message }])
    }
    await insertJob(tx, {
      id: key.id,
      org_id: key.orgId,
      source: 'upload',
      file_name: name,
      file_hash: '',
      file_bytes: 0,
      mapping: '{}',
      state: 'uploading',
      ...NO_COUNTS,
      created_by: actor.name,
      has_file: 1,
      started_at: at,
      touched_at: at,
      finished_at: null,
    })
  })
}

async function* measured(
  bytes: AsyncIterable<Uint8Array>,
  survey: FileSurvey,
  bytesMax: number,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    if (survey.bytes + chunk.length > bytesMax) {
      throw new ApiError('payload_too_large', `A file may have at most ${Math.floor(bytesMax / 2 ** 20)} MB.`)
    }
    survey.push(chunk)
    yield chunk
  }
}

/** Writes the bytes in parts of one size. It has one transaction's parts in memory, however large the file is. */
async function keep(db: Database, key: ImportKey, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const buffer = Buffer.allocUnsafeSlow(PARTS_AT_ONCE * PIECE_BYTES)
  let filled = 0
  let part = 0
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; ) {
      const taken = Math.min(chunk.length - at, buffer.length - filled)
      buffer.set(chunk.subarray(at, at + taken), filled)
      at += taken
      filled += taken
      if (filled === buffer.length) await save()
    }
  }
  await save()

  async function save(): Promise<void> {
    const starts = Array.from({ length: Math.ceil(filled / PIECE_BYTES) }, (_, at) => at * PIECE_BYTES)
    const parts = starts.map((start, at) => {
      return { part: part + at, bytes: buffer.subarray(start, Math.min(start + PIECE_BYTES, filled)) }
    })
    if (parts.length > 0) await db.write((tx) => insertParts(tx, key, parts))
    part += parts.length
    filled = 0
  }
}
