import { validationError } from '../http/errors.ts'
import { CsvPlaces } from './csv-places.ts'
import { isFeature, type Origin, placeOfFeature } from './feature-place.ts'
import { JsonElements } from './json-elements.ts'
import { isOsmElement, OSM_TERMS, placeOfElement } from './osm-place.ts'
import { textOf, type Unfit } from './place-fields.ts'
import type { Place } from './schema.ts'

/** Under what a file's places may be used. */
export interface Terms {
  licence: string | null
  attribution: string | null
  attribution_url: string | null
}

export type Format = 'geojson' | 'geojson lines' | 'overpass' | 'csv'

export type Skipped = Record<Unfit, number>

const OVERTURE_TERMS: Terms = {
  licence: 'CDLA-Permissive-2.0',
  attribution: 'Overture Maps Foundation',
  attribution_url: 'https://docs.overturemaps.org/attribution/',
}

const OPENING_BRACE = 0x7b
const LICENCES_MAX = 8

/**
 * Reads the places of a file that comes in pieces: GeoJSON, GeoJSON lines, what Overpass answers, or CSV. Which of them
 * it is, the content tells, and as far as it can, where the places come from and what may be done with them.
 */
export class PlacesReader {
  /** What was left out so far. */
  readonly skipped: Skipped = { no_name: 0, no_position: 0, broken: 0 }
  #json: JsonElements | undefined
  #csv: CsvPlaces | undefined
  #format: Format = 'geojson'
  readonly #origins: Record<Origin, number> = { osm: 0, overture: 0, other: 0 }
  readonly #licences = new Set<string>()
  #around: Record<string, unknown> = {}

  /**
   * @param piece may be overwritten afterwards
   * @throws ApiError `validation` at `file` when it cannot be read any further
   */
  push(piece: Uint8Array): Place[] {
    if (!this.#json && !this.#csv) {
      const first = firstByte(piece)
      if (first === undefined) return []
      if (first === OPENING_BRACE) this.#json = new JsonElements()
      else this.#csv = new CsvPlaces()
    }
    if (this.#csv) return this.#taken(this.#csv.push(piece))
    return this.#taken(this.#json!.push(piece).map((element) => this.#placeOf(element)))
  }

  /** @throws ApiError `validation` at `file` when it ended too early, or nothing in it was a place */
  end(): Place[] {
    if (this.#csv) {
      this.#format = 'csv'
      return this.#taken(this.#csv.end())
    }
    if (!this.#json) throw fileFault('The file is empty.')
    const { elements, around } = this.#json.end()
    this.#around = around
    if (!('features' in around || 'elements' in around)) this.#format = 'geojson lines'
    return this.#taken(elements.map((element) => this.#placeOf(element)))
  }

  /** To be called after the end. */
  get format(): Format {
    return this.#format
  }

  /** To be called after the end. What is known of OpenStreetMap and Overture Maps, else as the file says it. */
  get terms(): Terms {
    const { osm, overture, other } = this.#origins
    if (osm > Math.max(overture, other) || OSM_WORDS.test(saidAround(this.#around).join(' '))) return OSM_TERMS
    if (overture > other) {
      const licences = [...this.#licences].sort()
      return { ...OVERTURE_TERMS, licence: licences.join(', ') || OVERTURE_TERMS.licence }
    }
    const { licence, license, attribution, copyright } = this.#around
    return {
      licence: textOf(licence) ?? textOf(license),
      attribution: textOf(attribution) ?? textOf(copyright),
      attribution_url: null,
    }
  }

  #placeOf(element: unknown): Place | Unfit {
    if (isFeature(element)) {
      const { place, origin, licences } = placeOfFeature(element)
      this.#origins[origin]++
      for (const licence of licences) if (this.#licences.size < LICENCES_MAX) this.#licences.add(licence)
      return place
    }
    if (!isOsmElement(element)) return 'broken'
    this.#format = 'overpass'
    this.#origins.osm++
    return placeOfElement(element)
  }

  #taken(found: (Place | Unfit)[]): Place[] {
    return found.filter((place): place is Place => {
      if (typeof place === 'object') return true
      this.skipped[place]++
      return false
    })
  }
}

const OSM_WORDS = /openstreetmap|overpass|\bodbl\b/i

/** What the document says of itself, where it has features. */
function saidAround({ generator, attribution, copyright, licence, license, osm3s }: Record<string, unknown>): string[] {
  const said = [
    generator,
    attribution,
    copyright,
    licence,
    license,
    (osm3s as { copyright?: unknown } | null)?.copyright,
  ]
  return said.map((value) => textOf(value) ?? '')
}

/** Behind a byte order mark and white space. */
function firstByte(piece: Uint8Array): number | undefined {
  return piece.find((byte) => byte > 0x20 && !BYTE_ORDER_MARK.includes(byte))
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

function fileFault(message: string): Error {
  return validationError([{ path: 'file', code: 'not_allowed', message }])
}
