import { foldForSearch } from './search-text.ts'

/** The name of a column or property in one form: small letters without accents, words with one space between them. */
export function nameWords(name: string): string {
  const words = name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
  return foldForSearch(words).trim()
}
