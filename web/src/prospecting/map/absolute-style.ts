import type { StyleSpecification } from 'maplibre-gl'

/**
 * A style whose files are named by whole addresses: where it says `sprites/light`, it means beside itself, and the map
 * knows of no such place.
 *
 * @param base the style's own address
 */
export function absoluteStyle(style: StyleSpecification, base: string): StyleSpecification {
  const at = (address: string) => absolute(address, base)
  const { sprite, glyphs, sources = {} } = style
  return {
    ...style,
    ...(sprite && {
      sprite: typeof sprite === 'string' ? at(sprite) : sprite.map((one) => ({ ...one, url: at(one.url) })),
    }),
    ...(glyphs && { glyphs: at(glyphs) }),
    sources: Object.fromEntries(Object.entries(sources).map(([name, source]) => [name, withAddresses(source, at)])),
  }
}

/** Whether it needs the reader of PMTiles files. */
export function usesPmtiles({ sources }: StyleSpecification): boolean {
  return Object.values(sources).some((source) => 'url' in source && String(source.url).startsWith(PMTILES))
}

export const PMTILES = 'pmtiles://'

type Source = StyleSpecification['sources'][string]

function withAddresses(source: Source, at: (address: string) => string): Source {
  const changed = Object.entries(source).map(([key, value]) => {
    if ((key === 'url' || key === 'data') && typeof value === 'string') return [key, at(value)]
    return [key, (key === 'tiles' || key === 'urls') && Array.isArray(value) ? value.map(at) : value]
  })
  return Object.fromEntries(changed) as Source
}

function absolute(address: string, base: string): string {
  if (address.startsWith(PMTILES)) return PMTILES + absolute(address.slice(PMTILES.length), base)
  const url = URL.parse(address, base)
  // Placeholders in braces are for the map to fill.
  return url ? url.href.replaceAll('%7B', '{').replaceAll('%7D', '}') : address
}
