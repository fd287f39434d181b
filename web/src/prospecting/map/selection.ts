/** Which things on the map a drawn line takes in: all in pixels of the map. */

export type Point = readonly [x: number, y: number]

/** The corners of the rectangle between two points. */
export function boxBetween([left, top]: Point, [right, bottom]: Point): Point[] {
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ]
}

/**
 * Whether a point lies inside of a line that is closed from its end to its beginning. Where the line crosses itself,
 * what it goes around twice is outside, as it is where a drawing is filled.
 */
export function isInside([x, y]: Point, line: readonly Point[]): boolean {
  let inside = false
  for (let at = 0, before = line.length - 1; at < line.length; before = at++) {
    const [x1, y1] = line[at]!
    const [x2, y2] = line[before]!
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) inside = !inside
  }
  return inside
}

/** Something that lies on the map. */
interface Placed {
  latitude: number
  longitude: number
}

/** @param project where on the map it is drawn */
export function within<T extends Placed>(all: readonly T[], line: readonly Point[], project: (one: T) => Point): T[] {
  return all.filter((one) => isInside(project(one), line))
}

/** A hand that shakes makes a click of a few pixels, which is no box and no line. */
export function isDrawn(line: readonly Point[]): boolean {
  const xs = line.map(([x]) => x)
  const ys = line.map(([, y]) => y)
  return Math.max(...xs) - Math.min(...xs) > SHAKE_PX && Math.max(...ys) - Math.min(...ys) > SHAKE_PX
}

const SHAKE_PX = 4
