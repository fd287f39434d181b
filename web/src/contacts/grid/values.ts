/** A field of a contact as text in an editor or on the clipboard, and back. */
import type { Contact } from '@server/contacts/schema.ts'
import type { ColumnId } from './columns.ts'

/** What an editor shows; numbers without grouping, so that they can be typed again. */
export function textOf(contact: Contact, id: ColumnId): string {
  const value = contact[id]
  if (value === null) return ''
  return Array.isArray(value) ? tagsText(value) : String(value)
}

/** Null when the text is no value of this kind: `NaN` would be sent as null and clear the field. */
export type Parsed = { value: string | number | string[] | null } | { fault: string }

export function parsedValue(id: ColumnId, text: string): Parsed {
  const trimmed = text.trim()
  if (id === 'tags') return { value: tagsOf(trimmed) }
  if (trimmed === '') return { value: null }
  if (id !== 'deal_value') return { value: trimmed }
  const amount = amountOf(trimmed)
  return amount === undefined ? { fault: 'Enter a number like 48200 or 48,200.50' } : { value: amount }
}

/**
 * A number as people and spreadsheets write it, with a sign of currency or without.
 *
 * A comma or point with exactly three digits behind each is a separator of thousands, except one point alone, which is
 * the decimal point of the program's own numbers.
 */
function amountOf(text: string): number | undefined {
  const bare = text.replace(/^\p{Sc}\s*|\s*\p{Sc}$|[\s'’_]/gu, '')
  const plain = /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(bare)
    ? bare.replaceAll(',', '')
    : /^[+-]?\d{1,3}(\.\d{3}){2,}(,\d+)?$/.test(bare) || /^[+-]?\d{1,3}\.\d{3},\d+$/.test(bare)
      ? bare.replaceAll('.', '').replace(',', '.')
      : bare.replace(/^([+-]?\d+),(\d+)$/, '$1.$2')
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : undefined
}

export function isSame(one: unknown, other: unknown): boolean {
  return Array.isArray(one) && Array.isArray(other) ? one.join('\0') === other.join('\0') : one === other
}

/** Between commas; a tag that holds a comma or a quote stands in quotation marks. */
function tagsText(tags: readonly string[]): string {
  return tags.map((tag) => (/[,"]/.test(tag) ? `"${tag.replaceAll('"', '""')}"` : tag)).join(', ')
}

function tagsOf(text: string): string[] {
  const tags = [...text.matchAll(/\s*("(?:[^"]|"")*"|[^,]*)\s*(?:,|$)/gy)].map(([, tag = '']) =>
    /^".*"$/s.test(tag) ? tag.slice(1, -1).replaceAll('""', '"') : tag,
  )
  return [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))]
}
