/** Loading, listing and removing the operator's sets of places. */
import { now, toIso } from '../clock.ts'
import type { Database, Reader } from '../database/engine.ts'
import { ApiError, validationError } from '../http/errors.ts'
import { newId } from '../ids.ts'
import { BoxAround, NO_BOX } from './box.ts'
import { type Format, PlacesReader, type Skipped, type Terms } from './places-reader.ts'
import type { Place } from './schema.ts'
import {
  deadSets,
  deletePlaces,
  deleteSet,
  insertPlaces,
  insertSet,
  liveSetById,
  liveSetByName,
  liveSets,
  lockSets,
  type PlaceSet,
  updateSet,
} from './set-store.ts'

const NAME_LENGTH_MAX = 100
/** Some 15 ms on SQLite: other processes write in between. */
const PLACES_AT_ONCE = 400
/** No loading pauses for so long: its places are left over from a process that ended. */
const LEFT_OVER_MS = 10 * 60_000

export interface PlacesFile {
  /** What the set is called. One of this name is replaced, and keeps its id. */
  name: string
  bytes: AsyncIterable<Uint8Array>
  /** What the operator says, where the data itself does not tell that it is OpenStreetMap's or Overture's. */
  licence?: string | undefined
  attribution?: string | undefined
  onProgress?: (progress: LoadProgress) => void
}

export interface LoadProgress {
  bytesRead: number
  places: number
}

export interface LoadedSet {
  set: PlaceSet
  format: Format
  /** What was left out; `repeated` had the id of another one before it. */
  skipped: Skipped & { repeated: number }
  /** Whether there was a set of this name. */
  isReplaced: boolean
}

/**
 * Loads a file as a set. Its places come in beside those of a set of the same name, and take their place in one step
 * once all are there. What fails in the middle changes nothing.
 *
 * @throws ApiError `validation` at `file` or `name`
 */
export async function loadPlaces(db: Database, file: PlacesFile): Promise<LoadedSet> {
  const name = nameOf(file.name)
  const number = await db.write((tx) => insertSet(tx, newSet(name)))
  try {
    const { reader, ...counts } = await addAll(db, number, file)
    const terms = termsOf(reader.terms, file)
    const { places, box } = counts
    const { set, isReplaced } = await goLive(db, number, { ...terms, ...box.corners, places, name })
    return { set, format: reader.format, skipped: { ...reader.skipped, repeated: counts.repeated }, isReplaced }
  } catch (error) {
    // Whatever becomes of this, the sweep finds it later.
    await db.write((tx) => updateSet(tx, { number, state: 'loading' }, { state: 'gone' })).catch(() => {})
    throw error
  }
}

function nameOf(given: string): string {
  const name = given.trim()
  if (name !== '' && name.length <= NAME_LENGTH_MAX && !/\p{Cc}/u.test(name)) return name
  const message = `The name of a set of places must have 1 to ${NAME_LENGTH_MAX} characters.`
  throw validationError([{ path: 'name', code: name === '' ? 'required' : 'too_long', message }])
}

function newSet(name: string): Omit<PlaceSet, 'number'> {
  const at = toIso(now())
  const terms = { licence: null, attribution: name, attribution_url: null }
  return { id: newId(), name, state: 'loading', ...terms, places: 0, ...NO_BOX, loaded_at: at, touched_at: at }
}

async function addAll(db: Database, number: number, { bytes, onProgress }: PlacesFile) {
  const reader = new PlacesReader()
  const box = new BoxAround()
  let waiting: Place[] = []
  let read = 0
  let places = 0
  let bytesRead = 0
  for await (const piece of bytes) {
    bytesRead += piece.length
    waiting = waiting.concat(reader.push(piece))
    if (waiting.length >= PLACES_AT_ONCE) await add()
  }
  waiting = waiting.concat(reader.end())
  await add()
  if (places > 0) return { reader, box, places, repeated: read - places }
  const { no_name, no_position } = reader.skipped
  const why = no_name + no_position > 0 ? `: ${no_name} without a name, ${no_position} without a position` : ''
  throw validationError([{ path: 'file', code: 'not_allowed', message: `There is no place in the file${why}.` }])

  async function add(): Promise<void> {
    const batch = waiting
    waiting = []
    for (let at = 0; at < batch.length; at += PLACES_AT_ONCE) {
      const some = batch.slice(at, at + PLACES_AT_ONCE)
      for (const place of some) box.include(place)
      places += await db.write(async (tx) => {
        if (!(await updateSet(tx, { number, state: 'loading' }, { touched_at: toIso(now()) }))) throw sweptAway()
        return insertPlaces(tx, number, some)
      })
      read += some.length
      onProgress?.({ bytesRead, places })
    }
  }
}

function termsOf(said: Terms, { name, licence, attribution }: PlacesFile) {
  const isKnown = said.attribution_url !== null
  return {
    licence: (isKnown ? said.licence : (licence ?? said.licence)) || null,
    attribution: (isKnown ? said.attribution : (attribution ?? said.attribution)) || name.trim(),
    attribution_url: said.attribution_url,
  }
}

async function goLive(db: Database, number: number, change: Partial<PlaceSet> & { name: string }) {
  return db.write(async (tx) => {
    await lockSets(tx)
    const before = await liveSetByName(tx, change.name)
    if (before) await updateSet(tx, before, { state: 'gone' })
    const live = { ...change, state: 'live' as const, ...(before && { id: before.id }), touched_at: toIso(now()) }
    if (!(await updateSet(tx, { number, state: 'loading' }, live))) throw sweptAway()
    const set = await liveSetByName(tx, change.name)
    return { set: set!, isReplaced: before !== undefined }
  })
}

function sweptAway(): Error {
  return new ApiError('unavailable', 'The loading stood still for too long and was given up. Load the file again.')
}

export function listSets(db: Reader): Promise<PlaceSet[]> {
  return liveSets(db)
}

/** Takes a set out of sight at once; its places are erased by `eraseDeadSets`. @throws ApiError `not_found` */
export async function removeSet(db: Database, id: string): Promise<PlaceSet> {
  return db.write(async (tx) => {
    const set = await liveSetById(tx, id)
    if (!set || !(await updateSet(tx, set, { state: 'gone' }))) {
      throw new ApiError('not_found', 'There is no such set of places.')
    }
    return set
  })
}

/**
 * Erases some places of sets that were removed or replaced, or whose loading broke off.
 *
 * @returns how much it did; 0 when there was nothing to do
 */
export async function eraseDeadSets(db: Database): Promise<number> {
  const [dead] = await deadSets(db.read, toIso(now() - LEFT_OVER_MS))
  if (!dead) return 0
  return db.write(async (tx) => {
    if (dead.state === 'loading') await updateSet(tx, dead, { state: 'gone' })
    const erased = await deletePlaces(tx, dead.number, PLACES_AT_ONCE)
    if (erased === 0) await deleteSet(tx, dead.number)
    return erased + 1
  })
}
