/** From the cells of a row to a contact. */
import type { ContactInput } from '../contacts/schema.ts'
import type { Detail } from '../http/errors.ts'
import { unguarded } from '../text/csv.ts'
import { cellsOf } from '../text/csv-record.ts'
import type { Row } from '../text/csv-rows.ts'
import { parseAmount } from './amount.ts'
import { type ColumnField, checkContact, type Mapping, type Refusal } from './schema.ts'

/** A contact to add, or why there is none. */
export type Converted = { input: ContactInput; refusal?: undefined } | { input?: undefined; refusal: Refusal }

/**
 * Prepares the conversion of a file's rows by its mapping: the formula guard is taken off each cell, and what comes
 * out has passed the check of the API.
 *
 * @param tagForAll a tag that every contact gets beside those of its row
 */
export function compileConvert(mapping: Mapping, tagForAll: string | null = null): (row: Row) => Converted {
  const at = (field: ColumnField) => mapping.columns.flatMap((column, index) => (column.field === field ? [index] : []))
  const places = Object.fromEntries(TEXT_FIELDS.map((field) => [field, at(field)])) as Record<TextField, number[]>
  const [value] = at('deal_value')
  const names = [at('first_name'), at('last_name')].flat()
  const tags = mapping.columns.flatMap(({ field }, index) =>
    field === 'tags' || field === 'tag' ? [{ index, isList: field === 'tags' }] : [],
  )
  const cellOf = (path: string): number | null => {
    const [field] = path.split('/', 1)
    if (field === 'full_name' && places.full_name.length === 0) return names[0] ?? null
    if (field === 'tags') return tags[0]?.index ?? null
    if (field === 'deal_value') return value ?? null
    return places[field as TextField]?.[0] ?? null
  }

  return ({ cells, fault, faultCell }) => {
    if (fault) return { refusal: { reason: fault, cell: faultCell ?? null } }
    const extra = cells.findIndex((cell, index) => index >= mapping.columns.length && cell.trim() !== '')
    if (extra >= 0) {
      const reason = `The row has ${cells.length} cells, but there are ${mapping.columns.length} columns.`
      return { refusal: { reason, cell: null } }
    }
    const faults: Detail[] = []
    const sent: Record<string, unknown> = {}
    for (const field of TEXT_FIELDS) sent[field] = textOf(cells, places[field], ', ')
    sent.full_name ||= textOf(cells, names, ' ')
    if (value !== undefined) sent.deal_value = amountOf(textOf(cells, [value], ''), mapping, faults)
    if (tags.length > 0 || tagForAll !== null) {
      const own = tags.flatMap(({ index, isList }) => tagsOf(textOf(cells, [index], ''), isList))
      sent.tags = tagForAll === null ? own : [...own, tagForAll]
    }
    const input = checkContact(sent, faults)
    if (faults.length > 0) return { refusal: { reason: reasonOf(faults), cell: cellOf(faults[0]!.path) } }
    if (!input.full_name && !input.company) {
      const cell = places.full_name[0] ?? names[0] ?? places.company[0] ?? null
      return { refusal: { reason: 'A contact needs a full_name or a company.', cell } }
    }
    return { input }
  }
}

/** The row's cells as they are kept when it is rejected: without the guard, which is put on again in a file. */
export function plainCells(row: Row): string[] {
  return row.cells.map(unguarded)
}

export function reasonOf(faults: readonly Detail[]): string {
  return faults
    .slice(0, FAULTS_SHOWN)
    .map(({ message }) => message)
    .join(' ')
}

const FAULTS_SHOWN = 10

type TextField = (typeof TEXT_FIELDS)[number]

const TEXT_FIELDS = ['full_name', 'company', 'email', 'phone', 'location', 'deal_stage', 'label'] as const

function textOf(cells: readonly string[], places: readonly number[], separator: string): string {
  if (places.length === 1) return unguarded(cells[places[0]!] ?? '')
  return places
    .map((index) => unguarded(cells[index] ?? '').trim())
    .filter((text) => text !== '')
    .join(separator)
}

function amountOf(text: string, { decimalMark }: Mapping, faults: Detail[]): number | null {
  if (text.trim() === '') return null
  const amount = parseAmount(text, decimalMark)
  if (amount !== undefined) return amount
  const message = `deal_value must be an amount such as 1234.50; it is ${JSON.stringify(text.slice(0, 60))}.`
  faults.push({ path: 'deal_value', code: 'bad_format', message })
  return null
}

/** A list is split at its semicolons; where there are none, at its commas. */
function tagsOf(text: string, isList: boolean): string[] {
  if (text === '') return []
  if (!isList || !/[;,"\r\n]/.test(text)) return [text]
  const parts = cellsOf(text, ';')
  return parts.length > 1 ? parts : cellsOf(text, ',')
}
