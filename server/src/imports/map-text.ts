import { cellsOf } from '../text/csv-record.ts'
import { nearestName } from '../text/nearest-name.ts'
import type { GivenFields } from './mapping.ts'
import { COLUMN_FIELDS, type ColumnField } from './schema.ts'

/** Said for a column that is not to be imported. */
export const NO_FIELD = 'none'

/**
 * Reads `Column=field,…`. A pair with a comma in it stands in quotation marks: `"City, State=location"`.
 *
 * @returns the fields by column, and a sentence for each pair that cannot be read
 */
export function parseMap(text: string): { fields: GivenFields; faults: string[] } {
  const fields: GivenFields = new Map()
  const faults: string[] = []
  for (const pair of cellsOf(text, ',')) {
    const equals = pair.lastIndexOf('=')
    const column = pair.slice(0, Math.max(equals, 0)).trim()
    const field = pair.slice(equals + 1).trim()
    if (equals < 0 || column === '') faults.push(`${JSON.stringify(pair)} is not of the form Column=field.`)
    else if (fields.has(column)) faults.push(`The column ${JSON.stringify(column)} is given twice.`)
    else if (field === NO_FIELD) fields.set(column, null)
    else if (isColumnField(field)) fields.set(column, field)
    else faults.push(unknownField(field))
  }
  return { fields, faults }
}

function isColumnField(text: string): text is ColumnField {
  return (COLUMN_FIELDS as readonly string[]).includes(text)
}

function unknownField(field: string): string {
  const nearest = nearestName(field, [...COLUMN_FIELDS, NO_FIELD])
  const suggestion = nearest ? ` Did you mean ${nearest}?` : ''
  return `There is no field ${JSON.stringify(field)}.${suggestion} Fields are ${COLUMN_FIELDS.join(', ')} and ${NO_FIELD}.`
}
