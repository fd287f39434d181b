import { shown } from './statistics.ts'

export interface Table {
  titles: readonly string[]
  /** Numbers are written as `shown` does it; the first column names the row. */
  rows: readonly (readonly (string | number)[])[]
}

/** For a terminal: the first column to the left, the others to the right. */
export function plainTable({ titles, rows }: Table): string {
  const texts = [titles, ...rows.map((row) => row.map(cell))]
  const widths = titles.map((_, column) => Math.max(...texts.map((row) => [...row[column]!].length)))
  const lines = texts.map((row) =>
    row.map((text, i) => (i === 0 ? text.padEnd(widths[i]!) : text.padStart(widths[i]!))).join('   '),
  )
  return lines.join('\n')
}

export function markdownTable({ titles, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`
  const rule = titles.map((_, i) => (i === 0 ? '---' : '---:'))
  return [line(titles), line(rule), ...rows.map((row) => line(row.map(cell)))].join('\n')
}

function cell(value: string | number): string {
  return typeof value === 'string' ? value : Number.isFinite(value) ? shown(value) : '–'
}
