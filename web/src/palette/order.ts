/** Which lines the palette shows for a text, and in which order. */

export interface Line {
  id: string
  text: string
  section: string
  /** Other words that find it. */
  words?: string | undefined
}

export interface Section<L extends Line> {
  title: string
  lines: L[]
}

export const RECENT = 'Recent'
export const RECENT_MAX = 5

/** How they follow each other where nothing else decides. */
const SECTIONS = [RECENT, 'Go to', 'Create', 'This selection', 'This contact', 'This page', 'Contacts']

/**
 * Without a text: what was used last, then everything. With one: what has it at its beginning, then at the beginning of
 * a word, then inside; of equals the one used last. The section with the best line comes first.
 *
 * @param recentIds newest first
 * @param found answers to the text already: all of them stay, in their order
 */
export function paletteSections<L extends Line>(
  lines: L[],
  { text, recentIds, found = [] }: { text: string; recentIds: string[]; found?: L[] },
): Section<L>[] {
  const wanted = folded(text)
  if (wanted === '') return withoutText(lines, recentIds)
  const rankOf = (line: L) => Math.min(rank(folded(line.text), wanted), rank(folded(line.words ?? ''), wanted) + 1)
  const ageOf = ({ id }: L) => (recentIds.includes(id) ? recentIds.indexOf(id) : recentIds.length)
  const foundIds = new Set(found.map(({ id }) => id))
  const ranked = lines
    .filter(({ id }) => !foundIds.has(id))
    .map((line) => ({ line, rank: rankOf(line) }))
    .filter(({ rank }) => rank < NOT_FOUND)
    .sort((a, b) => a.rank - b.rank || ageOf(a.line) - ageOf(b.line))
  for (const line of found) ranked.push({ line, rank: Math.min(rank(folded(line.text), wanted), INSIDE) })
  const best = new Map<string, number>()
  for (const { line, rank } of ranked) best.set(line.section, Math.min(rank, best.get(line.section) ?? NOT_FOUND))
  return [...best]
    .sort(([a, rankA], [b, rankB]) => rankA - rankB || place(a) - place(b))
    .map(([title]) => ({ title, lines: ranked.filter(({ line }) => line.section === title).map(({ line }) => line) }))
}

function withoutText<L extends Line>(lines: L[], recentIds: string[]): Section<L>[] {
  const recent = recentIds
    .map((id) => lines.find((line) => line.id === id))
    .filter((line) => line !== undefined)
    .slice(0, RECENT_MAX)
  const rest = lines.filter((line) => !recent.includes(line) && line.section !== RECENT)
  const titles = [...new Set(rest.map(({ section }) => section))].sort((a, b) => place(a) - place(b))
  const sections = titles.map((title) => ({ title, lines: rest.filter(({ section }) => section === title) }))
  return recent.length > 0 ? [{ title: RECENT, lines: recent }, ...sections] : sections
}

function place(section: string): number {
  const at = SECTIONS.indexOf(section)
  return at < 0 ? SECTIONS.length : at
}

const INSIDE = 2
const NOT_FOUND = 3

/** 0 at the beginning, 1 at the beginning of a word, 2 inside, 3 not at all. */
function rank(text: string, wanted: string): number {
  if (text.startsWith(wanted)) return 0
  if (text.includes(` ${wanted}`)) return 1
  return text.includes(wanted) ? INSIDE : NOT_FOUND
}

/** Without case and accents, one blank between words. */
function folded(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .trim()
    .replaceAll(/[\s\-–]+/g, ' ')
}
