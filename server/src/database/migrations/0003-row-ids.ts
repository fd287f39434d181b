/**
 * Indexes of contacts that hold row ids in place of the org's and the contact's id, and no rows without their value. What
 * fed SQLite's table for searching is done by the program; PostgreSQL's index for it takes up new contacts sooner.
 */
import type { Migration } from '../migrate.ts'

const NAMES = [
  'stage',
  'label',
  'stage_label',
  'deal',
  'board',
  'created',
  'name',
  'company',
  'value',
  'updated',
  'email',
  'phone',
]

const BY_VALUE = [
  { name: 'stage', columns: 'deal_stage' },
  { name: 'label', columns: 'label' },
  { name: 'stage_label', columns: 'deal_stage, label' },
]

/** @param org what the index begins with. @param id what its entries end with */
function byValue(org: string, id: string): string[] {
  return BY_VALUE.map(({ name, columns }) => {
    const isThere = columns.split(', ').map((column) => `${column} is not null`)
    return `create index contact_${name} on contact (${org}, ${columns}, ${id}) where ${isThere.join(' and ')}`
  })
}

const sqlite = [
  ...['insert', 'delete', 'update'].map((event) => `drop trigger contact_search_${event}`),
  ...NAMES.map((name) => `drop index contact_${name}`),
  ...byValue('row_id >> 32', 'row_id'),
  `create index contact_deal on contact (row_id >> 32, deal_value desc, row_id) where deal_stage is not null`,
  `create index contact_board on contact (row_id >> 32, deal_stage, deal_value desc, row_id, label)
    where deal_stage is not null`,
  `create index contact_created on contact (row_id >> 32, row_id, deal_stage, label, search_text)`,
  `create index contact_name on contact (row_id >> 32, search_text, row_id, deal_stage, label)`,
  `create index contact_company on contact (
    row_id >> 32, substr(search_text, instr(search_text, char(31)) + 1), row_id, deal_stage, label)`,
  `create index contact_value on contact (row_id >> 32, deal_value, row_id, deal_stage, label)`,
  `create index contact_updated on contact (row_id >> 32, updated_at, row_id, deal_stage, label)`,
  `create index contact_email on contact (row_id >> 32, lower(email), row_id) where email is not null`,
  `create index contact_phone on contact (row_id >> 32, substr(replace(replace(replace(replace(replace(replace(replace(
    phone, ' ', ''), '-', ''), '(', ''), ')', ''), '.', ''), '/', ''), char(160), ''), -7), row_id)
    where phone is not null`,
]

const postgres = [
  ...BY_VALUE.map(({ name }) => `drop index contact_${name}`),
  ...byValue('org_id', 'id'),
  // What was added lately is searched through whole: after 9,000 creates a rare term took 3 ms in place of 0.2.
  `alter index contact_search set (gin_pending_list_limit = 256)`,
]

export const rowIds: Migration = { version: 3, name: 'row-ids', sqlite, postgres }
