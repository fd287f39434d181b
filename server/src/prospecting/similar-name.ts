/** How alike two names are, by the pieces of three letters that they share. */
import { foldForSearch } from '../text/search-text.ts'

const SIMILARITY_MIN = 0.5

/**
 * The pieces of a name: its words, without case and accents, each with two spaces before and one behind, so that the
 * beginning of a word counts more than its middle.
 */
export function trigramsOf(name: string): ReadonlySet<string> {
  const words = foldForSearch(name).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const pieces = words.flatMap((word) => {
    const letters = [...`  ${word} `]
    return letters.slice(2).map((letter, at) => letters[at]! + letters[at + 1]! + letter)
  })
  return new Set(pieces)
}

/** @returns from 0 for nothing in common to 1 for the same: the part of all their pieces that is in both */
export function similarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [small, large] = one.size < other.size ? [one, other] : [other, one]
  let shared = 0
  for (const piece of small) if (large.has(piece)) shared++
  const all = small.size + large.size - shared
  return all === 0 ? 0 : shared / all
}

/** Whether two names are alike enough to be one business's, where they stand next to each other on the map. */
export function isSimilar(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  // Most pairs are told apart by their sizes alone.
  const most = Math.min(one.size, other.size) / Math.max(one.size, other.size)
  return most >= SIMILARITY_MIN && similarity(one, other) >= SIMILARITY_MIN
}
