/** CSV as Kith writes it: RFC 4180, and no cell that a spreadsheet would run as a formula. */

/** Makes spreadsheets read UTF-8 as such. */
export const BYTE_ORDER_MARK = '\ufeff'

/** One line, with its line break. Each cell is guarded and, where needed, quoted. */
export function csvLine(cells: readonly string[], delimiter = ','): string {
  return `${cells.map((cell) => quoted(guarded(cell), delimiter)).join(delimiter)}\r\n`
}

/**
 * Puts one `'` before a text that begins, after any `'`, with what a spreadsheet takes for a formula.
 *
 * @see security.md O3
 */
export function guarded(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

/** Takes off what `guarded` has put there. */
export function unguarded(text: string): string {
  return text.charCodeAt(0) === APOSTROPHE && FORMULA.test(text) ? text.slice(1) : text
}

/** Tags in one cell, between semicolons; a tag that holds a separator stands in quotation marks. */
export function tagsText(tags: readonly string[]): string {
  return tags.map((tag) => (/[;,"\r\n]/.test(tag) ? `"${tag.replaceAll('"', '""')}"` : tag)).join(';')
}

const APOSTROPHE = 0x27
const FORMULA = /^'*[=+\-@\t\r\n\0]/

function quoted(cell: string, delimiter: string): string {
  const needsQuotes = cell.includes(delimiter) || /["\r\n]|^\s|\s$/.test(cell)
  return needsQuotes ? `"${cell.replaceAll('"', '""')}"` : cell
}
