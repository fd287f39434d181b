/** The address of the deals page: `/deals?q&label&layout&chart`. */
export interface DealsSearch {
  q?: string | undefined
  label?: string | undefined
  layout?: 'table' | undefined
  chart?: boolean | undefined
}

/** Reads what is in the address; what makes no sense there is left out. */
export function dealsSearch(raw: Record<string, unknown>): DealsSearch {
  const search: DealsSearch = {}
  const q = textOf(raw.q, 200)
  const label = textOf(raw.label, 64)
  if (q) search.q = q
  if (label) search.label = label
  if (raw.layout === 'table') search.layout = 'table'
  if (raw.chart === true) search.chart = true
  return search
}

function textOf(value: unknown, lengthMax: number): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' ? value.slice(0, lengthMax) : undefined
}

/** "“xyz” with label hot", for the sentence that says that nothing matches. */
export function searchInWords({ q, label }: Pick<DealsSearch, 'q' | 'label'>): string {
  return [q && `“${q}”`, label && `with label ${label}`].filter(Boolean).join(' ')
}
