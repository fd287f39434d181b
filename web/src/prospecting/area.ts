/** Where the map looks, and the box that is searched: one is worked out from the other, so that both ways of choosing agree. */
import type { Box } from '@server/prospecting/schema.ts'

/** The middle of the map and how near it is; each step of the zoom halves what is seen. */
export interface MapView {
  latitude: number
  longitude: number
  zoom: number
}

/** What can be chosen without a map: how far it is from the middle to the nearest edge. */
export const RADII_M = [500, 1_000, 2_000, 5_000] as const

export const USUAL_RADIUS_M = 2_000

/** The shorter side of the map, until it has been measured. */
export const USUAL_SIDE_PX = 480

const EARTH_M = 40_075_016.686
const DEGREE_M = EARTH_M / 360
/** Of one tile, which at zoom 0 is the whole Earth. */
const TILE_PX = 512
/** Beyond it the map ends. */
const LATITUDE_MAX = 85.0511
/** Differences that nobody can see: a zoom is rounded in the address. */
const TOLERANCE = 0.03

/** The square around a place, from its middle to each edge `radiusM`. */
export function boxAround({ latitude, longitude }: Omit<MapView, 'zoom'>, radiusM: number): Box {
  const high = radiusM / DEGREE_M
  const wide = Math.min(high / cosine(latitude), 180)
  return {
    south: fixed(Math.max(latitude - high, -LATITUDE_MAX)),
    west: fixed(Math.max(longitude - wide, -180)),
    north: fixed(Math.min(latitude + high, LATITUDE_MAX)),
    east: fixed(Math.min(longitude + wide, 180)),
  }
}

export function centreOf({ south, west, north, east }: Box): { latitude: number; longitude: number } {
  return { latitude: (south + north) / 2, longitude: (west + east) / 2 }
}

/** From the middle of a box to its nearest edge, in metres. */
export function radiusOf(box: Box): number {
  const high = (box.north - box.south) * DEGREE_M
  const wide = (box.east - box.west) * DEGREE_M * cosine(centreOf(box).latitude)
  return Math.min(high, wide) / 2
}

/** From the middle of the map to the nearest edge of it, in metres. */
export function radiusAt({ latitude, zoom }: MapView, sidePx: number): number {
  return ((sidePx / 2) * EARTH_M * cosine(latitude)) / (TILE_PX * 2 ** zoom)
}

/** The zoom at which a map shows so much around its middle. */
export function zoomFor(radiusM: number, latitude: number, sidePx: number): number {
  return fixed(Math.log2(((sidePx / 2) * EARTH_M * cosine(latitude)) / (TILE_PX * radiusM)), 2)
}

/** The shorter side in px of a map that shows this box. */
export function sideOf(box: Box, { latitude, zoom }: MapView): number {
  return (USUAL_SIDE_PX * radiusOf(box)) / radiusAt({ latitude, longitude: 0, zoom }, USUAL_SIDE_PX)
}

/** Shows all of a box, but no more than `radiusMaxM` around its middle. */
export function viewOf(box: Box, sidePx: number, radiusMaxM = Number.POSITIVE_INFINITY): MapView {
  const centre = centreOf(box)
  const high = ((box.north - box.south) * DEGREE_M) / 2
  const wide = ((box.east - box.west) * DEGREE_M * cosine(centre.latitude)) / 2
  const radiusM = Math.min(Math.max(high * 1.05, wide * 1.05, RADII_M[0]), radiusMaxM)
  return { ...centre, zoom: zoomFor(radiusM, centre.latitude, sidePx) }
}

/** Where nothing says where to begin. */
export const WORLD: MapView = { latitude: 25, longitude: 10, zoom: 1 }

/** So much of a source can be shown at once for somebody to begin with. */
const START_RADIUS_M_MAX = 25_000

/**
 * Where the map begins: at all of a small source; else in the person's city, if the source reaches there.
 *
 * @param box of the source; null where it is everywhere, or nobody can say
 * @returns undefined when it takes a city to tell
 */
export function startView(
  box: Box | null,
  city: { latitude: number; longitude: number } | undefined,
  sidePx: number,
): MapView | undefined {
  const whole = box && viewOf(box, sidePx)
  if (whole && radiusAt(whole, sidePx) <= START_RADIUS_M_MAX) return whole
  if (!city) return undefined
  if (box && !isWithin(city, box)) return viewOf(box, sidePx, USUAL_RADIUS_M)
  const { latitude, longitude } = city
  return { latitude, longitude, zoom: zoomFor(USUAL_RADIUS_M, latitude, sidePx) }
}

export function isWithin({ latitude, longitude }: { latitude: number; longitude: number }, box: Box): boolean {
  return latitude >= box.south && latitude <= box.north && longitude >= box.west && longitude <= box.east
}

/** One of the radii to choose from, if this is as good as one. */
export function knownRadius(radiusM: number): number | undefined {
  return RADII_M.find((known) => isSameSize(radiusM, known))
}

export function isSameSize(one: number, other: number): boolean {
  return Math.abs(one / other - 1) < TOLERANCE
}

/** Whether two views are the same to the eye. */
export function isSameView(one: MapView, other: MapView): boolean {
  const degreesSeen = 360 / 2 ** one.zoom
  const isNear = (a: number, b: number) => Math.abs(a - b) <= degreesSeen * TOLERANCE * TOLERANCE
  return (
    isNear(one.latitude, other.latitude) &&
    isNear(one.longitude, other.longitude) &&
    Math.abs(one.zoom - other.zoom) < TOLERANCE
  )
}

/** "52.5,13.37,52.54,13.42": south, west, north, east, as the address has it. */
export function boxText({ south, west, north, east }: Box): string {
  return [south, west, north, east].map((degrees) => fixed(degrees)).join(',')
}

/** @returns undefined when it is no box */
export function boxFrom(text: unknown): Box | undefined {
  if (typeof text !== 'string') return undefined
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  const [south, west, north, east] = numbers as [number, number, number, number]
  const isBox = numbers.length === 4 && isUpTo(south, 90) && isUpTo(north, 90) && isUpTo(west, 180)
  return isBox && isUpTo(east, 180) && south < north && west < east ? { south, west, north, east } : undefined
}

/** "42.0, 21.43" as somebody types it: latitude, then longitude. */
export function coordinatesFrom(text: string): { latitude: number; longitude: number } | undefined {
  const [, latitude, longitude] = /^\s*(-?\d+(?:\.\d+)?)\s*[,;\s]\s*(-?\d+(?:\.\d+)?)\s*$/.exec(text) ?? []
  const found = { latitude: Number(latitude), longitude: Number(longitude) }
  const isThere = latitude !== undefined && isUpTo(found.latitude, LATITUDE_MAX) && isUpTo(found.longitude, 180)
  return isThere ? found : undefined
}

/** Five digits are a metre. */
export function fixed(number: number, digits = 5): number {
  return Number(number.toFixed(digits))
}

function cosine(latitude: number): number {
  return Math.cos((Math.min(Math.abs(latitude), LATITUDE_MAX) * Math.PI) / 180)
}

function isUpTo(number: number | undefined, most: number): boolean {
  return number !== undefined && Math.abs(number) <= most
}
