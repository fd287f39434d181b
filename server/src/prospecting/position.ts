/** Distances on the ground, and the bands by which places near a place are found. */

interface Position {
  latitude: number
  longitude: number
}

export const METRES_PER_DEGREE = 111_195
const BANDS_PER_DEGREE = 500

/** Metres between two places that are near each other. */
export function distanceBetween(one: Position, other: Position): number {
  const north = (one.latitude - other.latitude) * METRES_PER_DEGREE
  const turned = Math.abs(one.longitude - other.longitude)
  const middle = ((one.latitude + other.latitude) / 2) * (Math.PI / 180)
  const east = Math.min(turned, 360 - turned) * METRES_PER_DEGREE * Math.cos(middle)
  return Math.hypot(north, east)
}

/** The band of 0.002 degrees, some 220 m, that a latitude lies in. */
export function bandOf(latitude: number): number {
  return Math.floor(latitude * BANDS_PER_DEGREE)
}

export interface Strip {
  band: number
  south: number
  west: number
  north: number
  east: number
}

/**
 * What has to be looked through for all that lies within so many metres, at most 220, of some places: strips of bands,
 * of which no two overlap.
 */
export function stripsAround(places: readonly Position[], metres: number): Strip[] {
  const strips = places.flatMap((place) => stripsOf(place, metres))
  strips.sort((one, other) => one.band - other.band || one.west - other.west)
  const joined: Strip[] = []
  for (const strip of strips) {
    const last = joined.at(-1)
    if (last?.band !== strip.band || strip.west > last.east) {
      joined.push(strip)
      continue
    }
    last.south = Math.min(last.south, strip.south)
    last.north = Math.max(last.north, strip.north)
    last.east = Math.max(last.east, strip.east)
  }
  return joined
}

function stripsOf({ latitude, longitude }: Position, metres: number): Strip[] {
  const reach = metres / METRES_PER_DEGREE
  const farthest = Math.min(89, Math.abs(latitude) + reach) * (Math.PI / 180)
  const aside = reach / Math.cos(farthest)
  const bands = new Set([bandOf(latitude - reach), bandOf(latitude), bandOf(latitude + reach)])
  const box = { south: latitude - reach, west: longitude - aside, north: latitude + reach, east: longitude + aside }
  return [...bands].map((band) => ({ band, ...box }))
}

/** @returns a function that finds those of the places that lie within so many metres, at most 220, of another */
export function nearTo<P extends Position>(places: readonly P[], metres: number): (other: Position) => P[] {
  const byBand = Map.groupBy(places, ({ latitude }) => bandOf(latitude))
  return (other) => {
    const band = bandOf(other.latitude)
    const around = [band - 1, band, band + 1].flatMap((one) => byBand.get(one) ?? [])
    return around.filter((place) => distanceBetween(place, other) <= metres)
  }
}
