/** Records for people: aligned columns of text in which nothing harmful is left. */

import { visibleText } from '../text/visible-text.ts'
import type { Style } from './style.ts'

/** What a cell can show: yes or no for a boolean, `-` for nothing, commas between the elements of a list. */
export type Cell = string | number | boolean | null | undefined | readonly string[]

export interface Column<Row> {
  title: string
  value(row: Row): Cell
  align?: 'right'
}

/** One line a row below a line of titles. Columns are as wide as their widest cell. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[], style: Style): string {
  const cells = rows.map((row) => columns.map((column) => cellText(column.value(row))))
  const widths = columns.map(({ title }, at) => Math.max(title.length, ...cells.map((line) => displayWidth(line[at]!))))
  const lineOf = (texts: string[]) =>
    texts
      .map((text, at) => padded(text, widths[at]!, columns[at]!.align))
      .join('  ')
      .trimEnd()
  return [style.bold(lineOf(columns.map(({ title }) => title))), ...cells.map(lineOf)].join('\n')
}

/** One record: a line for each of its fields, the names aligned. */
export function fields(pairs: readonly [name: string, value: Cell][], style: Style): string {
  const width = Math.max(...pairs.map(([name]) => name.length))
  return pairs.map(([name, value]) => `${style.bold(name.padEnd(width))}  ${cellText(value)}`).join('\n')
}

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined || cell === '') return '-'
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  if (typeof cell === 'object') return cell.length === 0 ? '-' : visibleText(cell.join(', '))
  return visibleText(String(cell))
}

function padded(text: string, width: number, align: 'right' | undefined): string {
  const spaces = ' '.repeat(width - displayWidth(text))
  return align === 'right' ? spaces + text : text + spaces
}

const plainAscii = /^[\x20-\x7e]*$/
const graphemes = new Intl.Segmenter('en')
const wide =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u

/** Columns that a terminal takes for a text: two for East Asian letters and emoji, none for marks above a letter. */
function displayWidth(text: string): number {
  if (plainAscii.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += wide.test(segment) ? 2 : 1
  return width
}
