/** Files of places that members upload: for their session, and for a day. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SignedIn } from '../actor.ts'
import { now, toIso } from '../clock.ts'
import type { Database } from '../database/engine.ts'
import { ApiError, validationError } from '../http/errors.ts'
import { newId } from '../ids.ts'
import { BoxAround, NO_BOX } from './box.ts'
import { PlacesReader } from './places-reader.ts'
import { type Place, type PlaceSource, UPLOAD_BYTES_MAX } from './schema.ts'
import { uploadSource } from './sources.ts'
import {
  deleteUpload,
  deleteUploaded,
  endedUpload,
  insertUpload,
  insertUploaded,
  type UploadKey,
  updateUpload,
  uploadsOf,
} from './upload-store.ts'

const KEPT_MS = 24 * 3_600_000
const UPLOADS_MAX = 3
const PLACES_MAX = 100_000
/** Some 8 ms of the event loop on SQLite. */
const PLACES_AT_ONCE = 200

export type Viewer = Pick<SignedIn, 'orgId' | 'sessionId'>

/**
 * Reads a file of places for one session.
 *
 * @throws ApiError `payload_too_large`; `validation` at `file` when it has no places, or there are too many files
 */
export async function uploadPlaces(
  db: Database,
  { orgId, sessionId }: Viewer,
  { name, bytes }: { name: string; bytes: AsyncIterable<Uint8Array> },
): Promise<PlaceSource> {
  const key = { orgId, id: newId() }
  await db.write(async (tx) => {
    if ((await uploadsOf(tx, { orgId, sessionId })).length >= UPLOADS_MAX) {
      throw fileFault(`There are ${UPLOADS_MAX} files of yours already. Remove one of them first.`, 'too_many')
    }
    const terms = { licence: null, attribution: name, attribution_url: null }
    const state = { is_whole: 0, places: 0, ...NO_BOX, created_at: toIso(now()) }
    await insertUpload(tx, { org_id: orgId, id: key.id, session_id: sessionId, name, ...terms, ...state })
  })
  try {
    const { reader, places, box } = await addAll(db, key, bytes)
    const { licence, attribution, attribution_url } = reader.terms
    const terms = { licence, attribution: attribution ?? name, attribution_url }
    await db.write((tx) => updateUpload(tx, key, { is_whole: 1, places, ...terms, ...box.corners }))
  } catch (error) {
    await removeRows(db, key).catch(() => {})
    throw error
  }
  const upload = (await uploadsOf(db.read, { orgId, sessionId })).find(({ id }) => id === key.id)
  if (!upload) throw new ApiError('not_found', 'The session ended while the file was being read.')
  return uploadSource(upload)
}

async function addAll(db: Database, key: UploadKey, bytes: AsyncIterable<Uint8Array>) {
  const reader = new PlacesReader()
  const box = new BoxAround()
  let waiting: Place[] = []
  let bytesRead = 0
  let places = 0
  for await (const piece of bytes) {
    bytesRead += piece.length
    if (bytesRead > UPLOAD_BYTES_MAX) {
      const message = `A file of places may have at most ${UPLOAD_BYTES_MAX / 2 ** 20} MB.`
      throw new ApiError('payload_too_large', message)
    }
    waiting = waiting.concat(reader.push(piece))
    if (waiting.length >= PLACES_AT_ONCE) await add()
    await nextTurn()
  }
  waiting = waiting.concat(reader.end())
  await add()
  if (places === 0) throw fileFault('There is no place with a name and a position in the file.', 'not_allowed')
  return { reader, places, box }

  async function add(): Promise<void> {
    const batch = waiting
    waiting = []
    for (let at = 0; at < batch.length; at += PLACES_AT_ONCE) {
      const some = batch.slice(at, at + PLACES_AT_ONCE)
      for (const place of some) box.include(place)
      places += await db.write((tx) => insertUploaded(tx, key, some))
      if (places > PLACES_MAX) {
        const message = `The file has more than ${PLACES_MAX.toLocaleString('en')} places. Ask whoever runs this server to load it.`
        throw fileFault(message, 'too_many')
      }
      await nextTurn()
    }
  }
}

function fileFault(message: string, code: 'too_many' | 'not_allowed'): ApiError {
  return validationError([{ path: 'file', code, message }])
}

/** @throws ApiError `not_found` where this session has no such file */
export async function removeUpload(db: Database, { orgId, sessionId }: Viewer, id: string): Promise<void> {
  const upload = (await uploadsOf(db.read, { orgId, sessionId })).find((one) => one.id === id)
  if (!upload) throw new ApiError('not_found', 'There is no such file of places.')
  await removeRows(db, { orgId, id })
}

/** Out of sight at once; its places go in steps. */
async function removeRows(db: Database, key: UploadKey): Promise<void> {
  await db.write((tx) => updateUpload(tx, key, { is_whole: 0, created_at: LONG_AGO }))
  while ((await eraseSome(db, key)) > 0) await nextTurn()
}

const LONG_AGO = '1970-01-01T00:00:00.000Z'

async function eraseSome(db: Database, key: UploadKey): Promise<number> {
  return db.write(async (tx) => {
    const erased = await deleteUploaded(tx, key, PLACES_AT_ONCE)
    if (erased === 0) await deleteUpload(tx, key)
    return erased
  })
}

/**
 * Erases some places of an upload that is a day old, or whose session has ended.
 *
 * @returns how much it did; 0 when there was nothing to do
 */
export async function eraseEndedUploads(db: Database): Promise<number> {
  const key = await endedUpload(db.read, toIso(now() - KEPT_MS))
  return key ? (await eraseSome(db, key)) + 1 : 0
}
