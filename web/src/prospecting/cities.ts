/** The cities of the world with 15,000 people or more: to go to, without asking any other host. */
import { foldForSearch } from '../../../server/src/text/search-text.ts'
import { type City, type PackedCities, unpackCities } from './packed-cities.ts'

export type { City } from './packed-cities.ts'

let loading: Promise<City[]> | undefined

/** @returns the largest first; fetched once, and again after a failure */
export function loadCities(): Promise<City[]> {
  loading ??= fetchCities().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

/**
 * The cities that a person may mean: those whose name begins with the text, then those that have a word which does;
 * larger ones first. Case and accents do not count. What follows a comma is the beginning of a country's name, or its
 * code: `san jose, c`.
 *
 * @param cities the largest first
 */
export function findCities(cities: readonly City[], text: string, max: number): City[] {
  const [name = '', country = ''] = foldForSearch(text)
    .split(',')
    .map((part) => part.trim())
  if (name === '') return []
  const countries = country === '' ? undefined : countriesNamed(country)
  const begins: City[] = []
  const hasWord: City[] = []
  for (const city of cities) {
    if (countries && !countries(city.country)) continue
    const folded = foldForSearch(city.name)
    if (folded.startsWith(name)) begins.push(city)
    else if (hasWordWith(folded, name)) hasWord.push(city)
    if (begins.length === max) return begins
  }
  return [...begins, ...hasWord].slice(0, max)
}

/** The English name of a country; of one that has none, its code. */
export function countryName(code: string): string {
  names ??= new Intl.DisplayNames('en', { type: 'region' })
  return names.of(code) ?? code
}

let names: Intl.DisplayNames | undefined

async function fetchCities(): Promise<City[]> {
  const { default: url } = await import('virtual:cities-url')
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`The list of cities was answered with ${answer.status}.`)
  return unpackCities((await answer.json()) as PackedCities)
}

function countriesNamed(folded: string): (code: string) => boolean {
  const known = new Map<string, boolean>()
  const isNamed = (code: string) => code.toLowerCase() === folded || foldForSearch(countryName(code)).startsWith(folded)
  return (code) => {
    if (!known.has(code)) known.set(code, isNamed(code))
    return known.get(code)!
  }
}

function hasWordWith(folded: string, beginning: string): boolean {
  for (let at = folded.indexOf(beginning); at > 0; at = folded.indexOf(beginning, at + 1)) {
    if (NO_LETTER.test(folded[at - 1]!)) return true
  }
  return false
}

const NO_LETTER = /[^\p{Letter}\p{Mark}\p{Number}]/u
