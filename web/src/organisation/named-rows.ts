/** The rows of the editors of pipeline and labels, before they are saved. */

export interface NamedRow {
  /** Of this row while it is edited; names may change. */
  key: number
  name: string
  /** Its name as the server has it; null for a new one. */
  was: string | null
  color: string
  probability: number | null
}

export interface Named {
  name: string
  color: string
  probability?: number | null
}

let lastKey = 0

export function rowsOf(named: readonly Named[]): NamedRow[] {
  return named.map(({ name, color, probability = null }) => ({ key: ++lastKey, name, was: name, color, probability }))
}

/** A new row in the colour that the others use least. */
export function newRow(rows: readonly NamedRow[], colours: readonly string[]): NamedRow {
  const uses = (colour: string) => rows.filter(({ color }) => color === colour).length
  const color = colours.reduce((least, colour) => (uses(colour) < uses(least) ? colour : least))
  return { key: ++lastKey, name: '', was: null, color, probability: null }
}

/** Whether saving would change anything. */
export function differs(rows: readonly NamedRow[], saved: readonly Named[]): boolean {
  return (
    rows.length !== saved.length ||
    rows.some((row, at) => {
      const { name, color, probability = null } = saved[at]!
      return row.name.trim() !== name || row.color !== color || row.probability !== probability
    })
  )
}

export interface Effect {
  renamed: { from: string; to: string; contacts: number }[]
  removed: { name: string; contacts: number }[]
}

/** What saving does to contacts: only names that some have. */
export function effectOf(
  rows: readonly NamedRow[],
  saved: readonly Named[],
  counts: ReadonlyMap<string, number>,
): Effect {
  const renamed = rows.flatMap(({ name, was }) => {
    const contacts = was === null ? 0 : (counts.get(was) ?? 0)
    return was !== null && was !== name.trim() && contacts > 0 ? [{ from: was, to: name.trim(), contacts }] : []
  })
  const kept = new Set(rows.flatMap(({ name, was }) => [name.trim(), was]))
  const removed = saved.flatMap(({ name }) => {
    const contacts = counts.get(name) ?? 0
    return kept.has(name) || contacts === 0 ? [] : [{ name, contacts }]
  })
  return { renamed, removed }
}

/** As the server takes them. */
export function sentRows(rows: readonly NamedRow[], hasProbability: boolean) {
  return rows.map(({ name, was, color, probability }) => ({
    name: name.trim(),
    color,
    ...(was !== null && was !== name.trim() && { was }),
    ...(hasProbability && { probability }),
  }))
}
