/** Places and their sources as the server tells of them. */
import type { MapContacts } from '@server/prospecting/add-schema.ts'
import type { Category } from '@server/prospecting/categories.ts'
import type { Box, FoundPlaces, PlaceSource, PlaceSources } from '@server/prospecting/schema.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { get, query, remove, upload } from '../api/client.ts'
import { boxText } from './area.ts'

export interface PlaceSearch {
  source: string
  box: Box
  category?: Category | undefined
  text?: string | undefined
}

const FOUND_MAX = 200

export function usePlaceSources() {
  return useQuery({
    queryKey: ['places', 'sources'],
    queryFn: ({ signal }) => get<PlaceSources>('/places/sources', { signal }),
  })
}

/**
 * What is in the box. A server that was asked and is away is not asked again until a person wants it; what was found is
 * asked for again when contacts have changed, to tell which are known.
 */
export function useFoundPlaces(search: PlaceSearch | undefined) {
  return useQuery({
    queryKey: ['places', 'found', search ?? null],
    queryFn: ({ signal }) => {
      const { source, box, category, text } = search!
      const path = `/places${query({ source, ...box, category, text, limit: FOUND_MAX })}`
      return get<FoundPlaces>(path, { signal })
    },
    enabled: ({ state }) => search !== undefined && state.status !== 'error',
    retry: false,
    placeholderData: keepPreviousData,
  })
}

/** One's own contacts with a place on the map, in the box. */
export function useContactsInView(box: Box | undefined) {
  return useQuery({
    queryKey: ['contacts', 'on map', box ? boxText(box) : null],
    queryFn: ({ signal }) => get<MapContacts>(`/places/contacts${query({ ...box })}`, { signal }),
    enabled: box !== undefined,
    placeholderData: keepPreviousData,
  })
}

export function uploadPlaces(file: File): Promise<PlaceSource> {
  return upload<PlaceSource>(`/places/upload?name=${encodeURIComponent(file.name.slice(0, 255))}`, file)
}

/** @param id of the source, `upload:…` */
export function removeUpload(id: string): Promise<unknown> {
  return remove(`/places/upload/${id.replace(/^upload:/, '')}`)
}
