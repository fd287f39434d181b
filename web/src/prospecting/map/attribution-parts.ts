/** What the makers of a map's background want to be said of them. */

export interface AttributionPart {
  text: string
  /** Where it leads to; undefined for text alone. */
  href?: string
}

/** Of the built-in world. */
export const WORLD_ATTRIBUTION: AttributionPart[] = [
  { text: 'Natural Earth', href: 'https://www.naturalearthdata.com/' },
  { text: ' · ' },
  { text: 'GeoNames', href: 'https://www.geonames.org/' },
]

/**
 * Takes text and links out of the HTML that sources of tiles bring along, and nothing else of it.
 *
 * @param html as anybody may have written it
 */
export function attributionParts(html: string): AttributionPart[] {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  return partsOf(body).filter(({ text }) => text !== '')
}

function partsOf(node: Node): AttributionPart[] {
  return [...node.childNodes].flatMap((child): AttributionPart[] => {
    if (child instanceof HTMLAnchorElement && /^https?:/.test(child.href)) {
      return [{ text: child.textContent, href: child.href }]
    }
    if (child instanceof Text) return [{ text: child.data }]
    return child instanceof HTMLScriptElement || child instanceof HTMLStyleElement ? [] : partsOf(child)
  })
}
