/** Which column goes to which field: guessed from headers and first rows, unless the caller says it. */
import { validationError } from '../http/errors.ts'
import { nameWords } from '../text/name-words.ts'
import { decimalMarkOf, isAmbiguousAmount } from './amount.ts'
import { ENDINGS, NAMES } from './column-names.ts'
import { COLUMN_FIELDS, type Column, type ColumnField, type Mapping } from './schema.ts'

/** What the caller says: null for a column that is not to be imported. */
export type GivenFields = Map<string, ColumnField | null>

interface Sample {
  header: readonly string[]
  /** The first rows. */
  rows: readonly (readonly string[])[]
  delimiter: string
}

/**
 * Maps every column. What is given goes first; then headers decide, then what the first rows hold.
 *
 * A field that takes one column gets the one that fits it best, of equals the first.
 *
 * @throws ApiError `validation` at `map` for a given column that is not there, is there twice, or a field given twice;
 *   at `file` when no column can be a name, unless it may lack one for now
 */
export function mapColumns(
  { header, rows, delimiter }: Sample,
  given: GivenFields = new Map(),
  { mayLackName = false } = {},
): Mapping {
  const columns = header.map((name): Column => ({ name: name.trim(), field: null, by: null }))
  placeGiven(columns, given)
  placeByName(columns)
  const values = (at: number) => rows.map((row) => row[at]?.trim() ?? '').filter((value) => value !== '')
  placeByContent(columns, values)
  if (!mayLackName) requireName(columns)
  const amounts = columns.findIndex(({ field }) => field === 'deal_value')
  return { columns, decimalMark: decimalMarkIn(values(amounts)) ?? (delimiter === ';' ? ',' : '.') }
}

/** Fields that several columns can go to. */
const SHARED: readonly ColumnField[] = ['location', 'tags', 'tag']

/** Locations that are complete by themselves: beside one of these, city and country are not needed. */
const WHOLE_LOCATIONS = ['location', 'headquarters location', 'hq location', 'full address', 'ubicacion', 'localizacao']

function placeGiven(columns: Column[], given: GivenFields): void {
  const faults: string[] = []
  for (const [name, field] of given) {
    const found = columnsNamed(columns, name)
    if (found.length === 0) faults.push(`There is no column "${name}"; there are ${listed(columns)}.`)
    else if (found.length > 1) faults.push(`There are ${found.length} columns "${name}": give each a name of its own.`)
    else if (field && !SHARED.includes(field) && isTaken(columns, field)) faults.push(`${field} is given twice.`)
    else Object.assign(found[0]!, { field, by: 'given' })
  }
  if (faults.length === 0) return
  throw validationError(faults.map((message) => ({ path: 'map', code: 'not_allowed', message })))
}

function columnsNamed(columns: readonly Column[], name: string): Column[] {
  const exact = columns.filter((column) => column.name === name.trim())
  return exact.length > 0 ? exact : columns.filter((column) => nameWords(column.name) === nameWords(name))
}

function listed(columns: readonly Column[]): string {
  return columns.map(({ name }) => `"${name}"`).join(', ')
}

function isTaken(columns: readonly Column[], field: ColumnField): boolean {
  return columns.some((column) => column.field === field)
}

function placeByName(columns: Column[]): void {
  const isGivenLocation = columns.some(({ field, by }) => field === 'location' && by === 'given')
  const named = columns.map((column) => ({ column, words: nameWords(column.name) }))
  for (const table of [NAMES, ENDINGS]) {
    for (const { column, words } of named) {
      if (column.by) continue
      const field = COLUMN_FIELDS.find((one) => fits(words, table[one], table === ENDINGS))
      if (!field || (!SHARED.includes(field) && isTaken(columns, field))) continue
      if (field === 'location' && isGivenLocation) continue
      Object.assign(column, { field, by: 'name' })
    }
  }
  const locations = named.filter(({ column }) => column.field === 'location' && column.by === 'name')
  const whole = locations.find(({ words }) => WHOLE_LOCATIONS.includes(words))
  if (whole) for (const { column } of locations) if (column !== whole.column) release(column)
  splitName(columns)
}

function fits(words: string, known: readonly string[] | undefined, isEnding: boolean): boolean {
  return known?.some((name) => (isEnding ? words.endsWith(` ${name}`) : words === name)) ?? false
}

function release(column: Column): void {
  Object.assign(column, { field: null, by: null })
}

/** Beside a first name alone, `Name` and `Nom` are the last name. */
function splitName(columns: Column[]): void {
  if (!isTaken(columns, 'first_name') || isTaken(columns, 'last_name')) return
  const name = columns.find(({ field, by, name }) => {
    return field === 'full_name' && by === 'name' && BARE_NAMES.includes(nameWords(name))
  })
  if (name) name.field = 'last_name'
}

const BARE_NAMES = ['name', 'nom', 'nome', 'naam', 'nombre']

/** Share of the values that have to look alike for a column to be taken for what they look like. */
const ALIKE_MIN = 0.6

const LOOKS: [field: ColumnField, header: RegExp | undefined, look: RegExp][] = [
  ['email', undefined, /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  ['phone', undefined, /^(?:\+|00)[\d\s()./-]{7,}$/],
  ['deal_stage', /\b(?:status|state|статус)\b/, /^(?:lead|qualified|proposal|negotiation|won|lost)$/i],
]

function placeByContent(columns: Column[], values: (at: number) => string[]): void {
  for (const [field, header, look] of LOOKS) {
    if (isTaken(columns, field)) continue
    const column = columns.find(({ name, by }, at) => {
      if (by || (header && !header.test(nameWords(name)))) return false
      const all = values(at)
      return all.length > 0 && all.filter((value) => look.test(value)).length >= ALIKE_MIN * all.length
    })
    if (column) Object.assign(column, { field, by: 'content' })
  }
}

/** Whether a contact can come of it at all. */
export function hasName({ columns }: Pick<Mapping, 'columns'>): boolean {
  return columns.some(({ field }) => NAME_FIELDS.includes(field))
}

const NAME_FIELDS: readonly (ColumnField | null)[] = ['full_name', 'first_name', 'last_name', 'company']

/** Whether there are amounts such as `1.234` among these rows, and none that tells which mark it is. */
export function isMarkAGuess({ columns }: Pick<Mapping, 'columns'>, rows: readonly (readonly string[])[]): boolean {
  const at = columns.findIndex(({ field }) => field === 'deal_value')
  const amounts = at < 0 ? [] : rows.map((row) => row[at]?.trim() ?? '')
  return decimalMarkIn(amounts) === undefined && amounts.some(isAmbiguousAmount)
}

function requireName(columns: Column[]): void {
  if (hasName({ columns })) return
  const message =
    'No column looks like a name or a company, and a contact needs one of them. ' +
    `The first row must name the columns; it has ${listed(columns)}. Say which one it is, as in "Column=full_name".`
  throw validationError([{ path: 'map', code: 'required', message }])
}

function decimalMarkIn(values: readonly string[]): '.' | ',' | undefined {
  for (const value of values) {
    const mark = decimalMarkOf(value)
    if (mark) return mark
  }
  return undefined
}
