/** How places, and what was found of them, are told of. */
import type { Category } from '@server/prospecting/categories.ts'
import type { FoundPlace, KnownContact, PlaceSource } from '@server/prospecting/schema.ts'
import { count, counted } from '../ui/format.ts'

interface Words {
  one: string
  /** Within a sentence. */
  many: string
}

export const CATEGORY_WORDS: Record<Category, Words> = {
  cafe: { one: 'Café', many: 'cafés' },
  restaurant: { one: 'Restaurant', many: 'restaurants' },
  fast_food: { one: 'Fast food', many: 'fast food places' },
  shop: { one: 'Shop', many: 'shops' },
  office: { one: 'Office', many: 'offices' },
  craft: { one: 'Craft', many: 'craft businesses' },
  hotel: { one: 'Hotel', many: 'hotels' },
  health: { one: 'Health', many: 'health services' },
  other: { one: 'Other', many: 'other places' },
}

/** "Café", or more exactly what the source says: "Craft: shoemaker". */
export function kindText({ category, category_text }: Pick<FoundPlace, 'category' | 'category_text'>): string {
  const exact = category_text?.replaceAll('_', ' ').trim() ?? ''
  if (category === null) return capital(exact)
  const { one } = CATEGORY_WORDS[category]
  const isSame = exact === '' || one.toLowerCase() === exact.toLowerCase() || category.replaceAll('_', ' ') === exact
  if (isSame) return one
  return category === 'other' ? capital(exact) : `${one}: ${exact}`
}

/** "350 m", "1.4 km" */
export function distanceText(metres: number, locale?: string): string {
  const isFar = metres >= 950
  const rounded = isFar ? metres / 1000 : Math.round(metres / 10) * 10
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: isFar ? 'kilometer' : 'meter',
    maximumFractionDigits: isFar && rounded < 10 ? 1 : 0,
  }).format(rounded)
}

export const REASON_WORDS: Record<KnownContact['reason'], string> = {
  same_place: 'added from this source',
  same_phone: 'same phone',
  same_website: 'same website',
  near_and_similar: 'similar name near by',
}

/** "48 places, 12 of them already contacts." */
export function foundSentence(found: number, known: number): string {
  if (known === 0) return `${counted(found, 'place')} found.`
  if (known === found) {
    return found === 1 ? '1 place, already a contact.' : `${counted(found, 'place')}, all of them already contacts.`
  }
  return `${counted(found, 'place')}, ${count(known)} of them already ${known === 1 ? 'a contact' : 'contacts'}.`
}

/** "No cafés here in this source.", "No place called “pizza” here in this source." */
export function nothingSentence({ category, text }: { category?: Category | undefined; text?: string | undefined }) {
  const kind = category ? CATEGORY_WORDS[category].many : 'places'
  return `No ${kind}${text ? ` called “${text}”` : ''} here in this source.`
}

/** "12 added. 3 were contacts already." */
export function addedSentence(added: number, already: number, gone: number): string {
  return [
    `${count(added)} added.`,
    ...(already > 0 ? [`${count(already)} ${already === 1 ? 'was a contact' : 'were contacts'} already.`] : []),
    ...(gone > 0 ? [`${count(gone)} ${gone === 1 ? 'is' : 'are'} gone from the source.`] : []),
  ].join(' ')
}

/** "Sample places in Skopje, 51 places" */
export function sourceText({ name, places }: PlaceSource): string {
  return places === null ? name : `${name}, ${counted(places, 'place')}`
}

/** Its terms, for people who publish lists made from it; undefined where it is not under ODbL. */
export function isShareAlike({ licence }: PlaceSource): boolean {
  return licence !== null && /odbl|open database/i.test(licence)
}

/**
 * The address of a site as a source has it, which anybody may have written.
 *
 * @returns undefined for what is no `http` or `https` address
 */
export function siteLink(website: string | null): { href: string; text: string } | undefined {
  if (website === null) return undefined
  const hasScheme = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(website)
  const url = URL.parse(hasScheme ? website : `https://${website.trim()}`)
  if (!url || !/^https?:$/.test(url.protocol) || !url.hostname.includes('.')) return undefined
  return { href: url.href, text: url.hostname.replace(/^www\./, '') }
}

/** @returns undefined for what has too few digits to be called */
export function phoneLink(phone: string | null): string | undefined {
  const [first = ''] = (phone ?? '').split(/[;,/]/)
  const digits = first.replaceAll(/[^\d+]/g, '')
  return /^\+?\d{3,20}$/.test(digits) ? `tel:${digits}` : undefined
}

/** Tags as one types them: "coffee, Skopje". */
export function tagsFrom(text: string): string[] {
  return [...new Set(text.split(',').map((tag) => tag.trim()))].filter(Boolean)
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
