/** Areas between two latitudes and two longitudes. */
import type { Position } from './place-fields.ts'
import type { Box } from './schema.ts'

export const NO_BOX = { south: null, west: null, north: null, east: null }

/** The smallest area around positions. */
export class BoxAround {
  #box: Box | undefined

  include({ latitude, longitude }: Position): void {
    this.#box ??= { south: latitude, west: longitude, north: latitude, east: longitude }
    const box = this.#box
    box.south = Math.min(box.south, latitude)
    box.north = Math.max(box.north, latitude)
    box.west = Math.min(box.west, longitude)
    box.east = Math.max(box.east, longitude)
  }

  get corners(): Box | typeof NO_BOX {
    return this.#box ?? NO_BOX
  }
}

/** In square degrees. */
export function areaOf({ south, west, north, east }: Box): number {
  return (north - south) * (east - west)
}

export function centreOf({ south, west, north, east }: Box): Position {
  return { latitude: (south + north) / 2, longitude: (west + east) / 2 }
}

export function isInside({ south, west, north, east }: Box, { latitude, longitude }: Position): boolean {
  return latitude >= south && latitude <= north && longitude >= west && longitude <= east
}
