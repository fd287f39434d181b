import type { PlaceSource } from './schema.ts'

/**
 * Within what the id of a place is one place. OpenStreetMap's and Overture's ids name the same place in every source;
 * all others count within their own.
 */
export function originOf(source: Pick<PlaceSource, 'id'>, sourceId: string): string {
  if (OSM_ID.test(sourceId)) return 'osm'
  if (GERS_ID.test(sourceId)) return 'gers'
  return source.id
}

const OSM_ID = /^(?:node|way|relation)\/\d{1,20}$/
/** Overture's Global Entity Reference System: https://docs.overturemaps.org/gers/ */
const GERS_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
