/** Checks what was typed into a cell by the server's own schema, before it is sent. */
import { ContactInput } from '@server/contacts/schema.ts'
import { compileRead, type Read } from '@server/http/check.ts'
import type { Detail } from '@server/http/errors.ts'
import { fieldFaults } from '../../ui/form-faults.ts'
import { type ColumnId, columnOf } from './columns.ts'
import { type Parsed, parsedValue } from './values.ts'

const reads = new Map<ColumnId, Read>()

/** The value that a text stands for in this column, or what is wrong with it in words. */
export function checkedValue(id: ColumnId, text: string): Parsed {
  const parsed = parsedValue(id, text)
  if ('fault' in parsed) return parsed
  const faults: Detail[] = []
  const value = readOf(id)(parsed.value, faults, '', id)
  if (faults.length === 0) return { value: value as Exclude<typeof parsed.value, undefined> }
  return { fault: faultInWords(id, faults) }
}

/** What the server says about this field, or about the contact as a whole. */
export function faultInWords(id: ColumnId, faults: Detail[]): string {
  const of = faults.filter(({ path }) => path === '' || path.split('/')[0] === id)
  if (id === 'email' && of.some(({ code }) => code === 'bad_format')) {
    return 'Enter an email address like name@example.com'
  }
  const [fault] = fieldFaults(of, { [id]: columnOf(id).title })
  return fault?.message ?? 'The server did not take this value.'
}

function readOf(id: ColumnId): Read {
  let read = reads.get(id)
  if (!read) {
    read = compileRead(ContactInput.properties[id as keyof typeof ContactInput.properties], false)
    reads.set(id, read)
  }
  return read
}
