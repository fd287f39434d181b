/** Cells as spreadsheets put them on the clipboard: tabs between cells, line breaks between rows, quotes where needed. */

export function tsvOf(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => cells.map(quoted).join('\t')).join('\r\n')
}

/** A cell and what ends it. A quote that nothing closes, or that something follows, is a part of the text. */
const CELL = /("(?:[^"]|"")*"(?=[\t\r\n]|$)|[^\t\r\n]*)(\t|\r\n|\r|\n|$)/gy

/** Takes what `tsvOf` and spreadsheets write; a line break at the end makes no row. */
export function cellsOf(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, cell = '', end] of text.matchAll(CELL)) {
    row.push(isQuoted(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    if (end === '\t') continue
    rows.push(row)
    row = []
    if (end === '') break
  }
  const [last] = rows.slice(-1)
  return last?.length === 1 && last[0] === '' ? rows.slice(0, -1) : rows
}

function quoted(cell: string): string {
  return /["\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

function isQuoted(cell: string): boolean {
  return /^"(?:[^"]|"")*"$/.test(cell)
}
