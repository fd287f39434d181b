/** What an Overpass server is asked: https://wiki.openstreetmap.org/wiki/Overpass_API/Overpass_QL */
import { CATEGORY_WORDS, type Category, type OsmTag } from './categories.ts'
import type { Box } from './schema.ts'

/** How many elements it answers at most. */
export const ANSWER_MAX = 200

/** Corners in hundredths of a degree, some 1.1 km: whoever looks a little aside finds the same answer. */
const STEPS_PER_DEGREE = 100

/** The area that is asked for, for one that is looked at. */
export function askedBox({ south, west, north, east }: Box): Box {
  const down = (degrees: number) => Math.floor(degrees * STEPS_PER_DEGREE) / STEPS_PER_DEGREE
  const up = (degrees: number) => Math.ceil(degrees * STEPS_PER_DEGREE) / STEPS_PER_DEGREE
  return { south: down(south), west: down(west), north: up(north), east: up(east) }
}

/**
 * @param wanted a category, a part of the name, or both
 */
export function overpassQuery(
  box: Box,
  wanted: { category?: Category | undefined; text?: string | undefined },
): string {
  const name = wanted.text ? `["name"~"${quoted(asPattern(wanted.text))}",i]` : '["name"]'
  const { south, west, north, east } = box
  const area = `(${[south, west, north, east].map((degrees) => degrees.toFixed(2)).join(',')})`
  const tags = wanted.category ? CATEGORY_WORDS[wanted.category].osm.map(tagFilter) : ['']
  const statements = tags.map((tag) => `nwr${tag}${name}${area};`)
  const found = statements.length === 1 ? statements[0] : `(${statements.join('')});`
  return `[out:json][timeout:20][maxsize:16777216];${found}out center tags ${ANSWER_MAX};`
}

function tagFilter({ key, values }: OsmTag): string {
  if (!values) return `["${key}"]`
  if (values.length === 1) return `["${key}"="${values[0]}"]`
  return `["${key}"~"^(${values.join('|')})$"]`
}

/** A pattern that matches this text and nothing else. */
function asPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** As it stands between quotation marks. */
function quoted(text: string): string {
  return text.replace(/[\\"]/g, '\\$&').replace(/\p{Cc}/gu, ' ')
}
