/** The same contacts for every peer, each under the names that Kith has for its fields. */
import { FIELDS, rowAt } from '../frame/fill.ts'
import { inputAt } from '../frame/people.ts'

/** What lists show. */
export const LISTED = ['id', 'full_name', 'company', 'deal_stage', 'deal_value', 'label']
export const ASKED = 1_000
export const PAGE = 50

export type Fields = Record<keyof typeof FIELDS, string | number | null>

const NAMES = Object.keys(FIELDS) as (keyof Fields)[]

/** Of the contact with that number. */
export function fieldsAt(at: number): Fields {
  const row = rowAt({ orgId: '', series: 0 }, at)
  return Object.fromEntries(NAMES.map((name) => [name, row[name]])) as Fields
}

/** What a program sends to add one; whoever calls a peer has to keep the searchable text itself. */
export function newFieldsAt(at: number): Fields {
  return fieldsAt(at % ASKED)
}

export function changeAt(at: number): { deal_value: number } {
  return { deal_value: at * 10 }
}

export const newContacts = Array.from({ length: ASKED }, (_, i) => inputAt(i))
