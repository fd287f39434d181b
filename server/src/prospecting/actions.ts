/** Finding places in whichever source. */
import type { Database } from '../database/engine.ts'
import { ApiError, type Detail, validationError } from '../http/errors.ts'
import { areaOf, centreOf, isInside } from './box.ts'
import type { Overpass } from './overpass.ts'
import { askedBox } from './overpass-query.ts'
import { answeredPlaces } from './overpass-store.ts'
import { distanceBetween } from './position.ts'
import { recognised } from './recognition.ts'
import { AREA_MAX, type Box, type FoundPlaces, type Place, type PlaceQuery, type PlaceSource } from './schema.ts'
import { type Among, countIn, placesIn } from './search-store.ts'
import { liveSetById, liveSets, placesOfSet } from './set-store.ts'
import { fileSource, OVERPASS_SOURCE, uploadSource } from './sources.ts'
import type { Viewer } from './upload-actions.ts'
import { placesOfUpload, uploadsOf } from './upload-store.ts'

export interface Places {
  db: Database
  /** Undefined where the operator has named none. */
  overpass: Overpass | undefined
}

/** What a member can search: the operator's sets, the Overpass server, and what this session has uploaded. */
export async function listSources({ db, overpass }: Places, viewer: Viewer): Promise<PlaceSource[]> {
  const uploads = await uploadsOf(db.read, viewer)
  return [
    ...(await liveSets(db.read)).map(fileSource),
    ...(overpass ? [OVERPASS_SOURCE] : []),
    ...uploads.filter(({ is_whole }) => is_whole === 1).map(uploadSource),
  ]
}

/**
 * The places of an area, the nearest to its middle first, with the contacts that they are already.
 *
 * @throws ApiError `validation` at `box` where the area is too large; `not_found` where there is no such source;
 *   `unavailable` where it gives no answer
 */
export async function searchPlaces(parts: Places, viewer: Viewer, query: PlaceQuery): Promise<FoundPlaces> {
  const { source, among } = await sourceOf(parts.db, viewer, query.source)
  const { south, west, north, east, category, text, limit } = query
  const box = { south, west, north, east }
  requireFitting(box, source)
  const found = among
    ? await searchKept(parts.db, among, query, box)
    : await searchOverpass(parts, { box, category, text, limit })
  const contacts = await recognised(parts.db.slow, viewer.orgId, source, found.places)
  const centre = centreOf(box)
  const data = found.places.map((place) => ({
    ...place,
    distance_m: Math.round(distanceBetween(centre, place)),
    contact: contacts.get(place.source_id) ?? null,
  }))
  return { data, meta: { count: found.count, is_cut: found.count > data.length || found.isCut }, source }
}

/**
 * Some places of a source, as it has them now; those that it has no more are left out.
 *
 * @throws ApiError `not_found` where there is no such source
 */
export async function placesOf(
  db: Database,
  viewer: Viewer,
  sourceId: string,
  sourceIds: readonly string[],
): Promise<{ source: PlaceSource; places: Place[] }> {
  const { source, among } = await sourceOf(db, viewer, sourceId)
  if (sourceIds.length === 0) return { source, places: [] }
  if (!among) return { source, places: await answeredPlaces(db.read, sourceIds) }
  const places =
    'uploadId' in among
      ? await placesOfUpload(db.read, { orgId: among.orgId, id: among.uploadId }, sourceIds)
      : await placesOfSet(db.read, among.setNumber, sourceIds)
  return { source, places }
}

/** @returns the source and where its places are kept; for Overpass, nowhere */
async function sourceOf(
  db: Database,
  viewer: Viewer,
  sourceId: string,
): Promise<{ source: PlaceSource; among: Among | undefined }> {
  if (sourceId === OVERPASS_SOURCE.id) return { source: OVERPASS_SOURCE, among: undefined }
  const [, kind, id] = SOURCE_ID.exec(sourceId) ?? []
  if (kind === 'file') {
    const set = await liveSetById(db.read, id!)
    if (set) return { source: fileSource(set), among: { setNumber: set.number } }
  }
  if (kind === 'upload') {
    const upload = (await uploadsOf(db.read, viewer)).find((one) => one.id === id && one.is_whole === 1)
    if (upload) return { source: uploadSource(upload), among: { orgId: viewer.orgId, uploadId: upload.id } }
  }
  throw noSource()
}

const SOURCE_ID = /^(file|upload):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

function noSource(): ApiError {
  return new ApiError('not_found', 'There is no such source of places.')
}

function requireFitting(box: Box, { kind }: PlaceSource): void {
  const faults: Detail[] = []
  if (box.south >= box.north) faults.push(outOfRange('north', 'north must be greater than south.'))
  if (box.west >= box.east) faults.push(outOfRange('east', 'east must be greater than west.'))
  if (faults.length > 0) throw validationError(faults)
  if (areaOf(kind === 'overpass' ? askedBox(box) : box) <= AREA_MAX[kind]) return
  throw validationError([outOfRange('box', 'Zoom in to search: this area is too large.')])
}

function outOfRange(path: string, message: string): Detail {
  return { path, code: 'out_of_range', message }
}

interface Found {
  places: Place[]
  count: number
  isCut: boolean
}

async function searchKept(
  { slow }: Database,
  among: Among,
  { category, text, limit }: PlaceQuery,
  box: Box,
): Promise<Found> {
  const wanted = { box, category, text }
  const [places, count] = await Promise.all([placesIn(slow, among, wanted, limit), countIn(slow, among, wanted)])
  return { places, count, isCut: false }
}

async function searchOverpass(
  { overpass }: Places,
  { box, category, text, limit }: Pick<PlaceQuery, 'category' | 'text' | 'limit'> & { box: Box },
): Promise<Found> {
  if (!overpass) throw noSource()
  if (!category && !text?.trim()) {
    const message = 'Choose a category, or type a part of a name.'
    throw validationError([{ path: 'category', code: 'required', message }])
  }
  const answer = await overpass.find(askedBox(box), { category, text: text?.trim() })
  const centre = centreOf(box)
  const inside = answer.places
    .filter((place) => isInside(box, place))
    .toSorted((one, other) => distanceBetween(centre, one) - distanceBetween(centre, other))
  return { places: inside.slice(0, limit), count: inside.length, isCut: answer.isCut }
}
