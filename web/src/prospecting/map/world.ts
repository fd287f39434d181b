/** The built-in world: land, borders and where the names of countries stand, out of Natural Earth's countries. */
import type { Feature, FeatureCollection, MultiLineString, MultiPolygon, Point, Polygon, Position } from 'geojson'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'

export type CountriesTopology = Topology<{ countries: GeometryCollection<{ name: string }> }>

export interface World {
  land: FeatureCollection<Polygon | MultiPolygon, { name: string }>
  borders: MultiLineString
  /** `size` is in square degrees at the equator: the larger, the sooner its name is written. */
  names: FeatureCollection<Point, { name: string; size: number }>
}

export function worldOf(topology: CountriesTopology): World {
  const { countries } = topology.objects
  const round = feature(topology, countries) as FeatureCollection<Polygon | MultiPolygon, { name: string }>
  const land = { ...round, features: round.features.map(flat) }
  const borders = mesh(topology, countries, (one, other) => one !== other)
  return { land, borders, names: { type: 'FeatureCollection', features: land.features.map(nameOf) } }
}

type Country = Feature<Polygon | MultiPolygon, { name: string }>

/** A country as a flat map needs it: on the globe, outlines run on over the line where the days meet. */
function flat({ geometry, ...country }: Country): Country {
  return geometry.type === 'Polygon'
    ? { ...country, geometry: { ...geometry, coordinates: flatPart(geometry.coordinates) } }
    : { ...country, geometry: { ...geometry, coordinates: geometry.coordinates.map(flatPart) } }
}

/** What goes around the pole itself, as Antarctica does, is a point of the globe that the map has not. */
function flatPart(lines: Position[][]): Position[][] {
  return lines.filter((line) => line.some(([, latitude]) => Math.abs(latitude!) < NEAR_POLE)).map(unrolled)
}

const NEAR_POLE = 89

/** An outline without jumps from one side of the map to the other: it runs out of it, where the map begins again. */
export function unrolled(outline: readonly Position[]): Position[] {
  let turns = 0
  const line = outline.map(([longitude, latitude], at): [number, number] => {
    const step = longitude! - (outline[at - 1]?.[0] ?? longitude!)
    if (Math.abs(step) > 180) turns -= Math.sign(step)
    return [longitude! + 360 * turns, latitude!]
  })
  if (turns === 0) return line
  // It has gone around a pole, and is closed along the edge of the map.
  const pole = 90 * Math.sign(line[0]![1])
  return [...line, [line.at(-1)![0], pole], [line[0]![0], pole], line[0]!]
}

/** The name of a country, in the middle of its largest part. */
function nameOf({ properties, geometry }: Country): World['names']['features'][number] {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
  const parts = polygons.map(([outline]) => middleOf(outline!)).sort((one, other) => other.size - one.size)
  const { longitude, latitude, size } = parts[0]!
  return {
    type: 'Feature',
    properties: { name: properties.name, size: Number(size.toFixed(3)) },
    geometry: { type: 'Point', coordinates: [((longitude + 540) % 360) - 180, latitude] },
  }
}

/** The centre of gravity of an outline, and how large what it goes around looks on the ground. */
export function middleOf(outline: readonly Position[]): { longitude: number; latitude: number; size: number } {
  let [area, x, y] = [0, 0, 0]
  for (let at = 0; at < outline.length - 1; at++) {
    const [x1, y1] = outline[at] as [number, number]
    const [x2, y2] = outline[at + 1] as [number, number]
    const cross = x1 * y2 - x2 * y1
    area += cross / 2
    x += ((x1 + x2) * cross) / 6
    y += ((y1 + y2) * cross) / 6
  }
  if (area === 0) return { longitude: outline[0]![0]!, latitude: outline[0]![1]!, size: 0 }
  const latitude = y / area
  return { longitude: x / area, latitude, size: Math.abs(area) * Math.cos((latitude * Math.PI) / 180) }
}
