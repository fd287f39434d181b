/** Fine lines of latitude and longitude: so that the map moves visibly where it has nothing else to show. */
import type { Box } from '@server/prospecting/schema.ts'
import type { MultiLineString } from 'geojson'

/** Degrees between lines, from the whole world to a street. */
const STEPS = [30, 15, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005]
const PX_OF_WORLD = 512
const PX_MIN = 110
const LATITUDE_MAX = 85
const HALF_WORLD = 90

/** The lines through a box and as much again on each side, so that there are some where the map is moved to. */
export function graticule({ south, west, north, east }: Box, zoom: number): MultiLineString {
  const step = stepAt(zoom)
  const [high, wide] = [north - south, east - west]
  // A map of half the world may show where the next one begins.
  const isWorld = wide > HALF_WORLD
  const [left, right] = isWorld ? [-180, 180] : [Math.max(west - wide, -180), Math.min(east + wide, 180)]
  const [bottom, top] = [Math.max(south - high, -LATITUDE_MAX), Math.min(north + high, LATITUDE_MAX)]
  return {
    type: 'MultiLineString',
    coordinates: [
      ...multiples(left, right, step).map((longitude) => [
        [longitude, bottom],
        [longitude, top],
      ]),
      ...multiples(bottom, top, step).map((latitude) => [
        [left, latitude],
        [right, latitude],
      ]),
    ],
  }
}

/** The finest step whose lines are not too near to each other. */
export function stepAt(zoom: number): number {
  const pxOfDegree = (PX_OF_WORLD * 2 ** zoom) / 360
  return STEPS.findLast((step) => step * pxOfDegree >= PX_MIN) ?? STEPS[0]!
}

function multiples(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / step)
  const count = Math.floor(to / step) - first + 1
  return Array.from({ length: Math.max(count, 0) }, (_, index) => Number(((first + index) * step).toFixed(4)))
}
