/** From the cells of a row to a contact. */
import type { ContactInput } from '../contacts/schema.ts'
import type { Detail } from '../http/errors.ts'
import { parseAmount } from './amount.ts'
import { unguarded } from './csv-out.ts'
import { cellsOf } from './csv-record.ts'
import type { Row } from './rows.ts'
import { type ColumnField, checkContact, type Mapping } from './schema.ts'

/** A contact to add, or sentences that say why there is none. */
export type Converted = { input: ContactInput; reason?: undefined } | { input?: undefined; reason: string }

/**
 * Prepares the conversion of a file's rows by its mapping: the formula guard is taken off each cell, and what comes
 * out has passed the check of the API.
 */
export function compileConvert(mapping: Mapping): (row: Row) => Converted {
  const at = (field: ColumnField) => mapping.columns.flatMap((column, index) => (column.field === field ? [index] : []))
  const places = Object.fromEntries(TEXT_FIELDS.map((field) => [field, at(field)])) as Record<TextField, number[]>
  const [value] = at('deal_value')
  const names = [at('first_name'), at('last_name')].flat()
  const tags = mapping.columns.flatMap(({ field }, index) =>
    field === 'tags' || field === 'tag' ? [{ index, isList: field === 'tags' }] : [],
  )

  return ({ cells, fault }) => {
    if (fault) return { reason: fault }
    const extra = cells.findIndex((cell, index) => index >= mapping.columns.length && cell.trim() !== '')
    if (extra >= 0)
      return { reason: `The row has ${cells.length} cells, but there are ${mapping.columns.length} columns.` }
    const faults: Detail[] = []
    const sent: Record<string, unknown> = {}
    for (const field of TEXT_FIELDS) sent[field] = textOf(cells, places[field], ', ')
    sent.full_name ||= textOf(cells, names, ' ')
    if (value !== undefined) sent.deal_value = amountOf(textOf(cells, [value], ''), mapping, faults)
    if (tags.length > 0) sent.tags = tags.flatMap(({ index, isList }) => tagsOf(textOf(cells, [index], ''), isList))
    const input = checkContact(sent, faults)
    if (faults.length > 0) return { reason: reasonOf(faults) }
    if (!input.full_name && !input.company) return { reason: 'A contact needs a full_name or a company.' }
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
