/** What the tables are for, seen from a backup: the ones that hold what nothing else can bring back, and the rest. */
import type { Tables } from './schema.ts'

export interface KeptTable {
  name: keyof Tables
  /** Columns that tell its rows apart in both engines. */
  key: readonly string[]
  /** The column that counts up by itself. */
  counter?: 'number' | 'seq'
}

/** In an order in which every row comes after those that it refers to. */
export const KEPT_TABLES: readonly KeptTable[] = [
  { name: 'meta', key: ['key'] },
  { name: 'org', key: ['id'], counter: 'number' },
  { name: 'stage', key: ['org_id', 'name'] },
  { name: 'label', key: ['org_id', 'name'] },
  { name: 'value_rename', key: ['org_id', 'field', 'old_value'] },
  { name: 'member', key: ['org_id', 'id'] },
  { name: 'api_token', key: ['org_id', 'id'] },
  { name: 'contact', key: ['org_id', 'id'] },
  { name: 'contact_place', key: ['org_id', 'contact_id'] },
  { name: 'task', key: ['org_id', 'id'] },
  { name: 'activity', key: ['org_id', 'contact_id', 'id'] },
  { name: 'saved_view', key: ['org_id', 'id'] },
  { name: 'event', key: ['org_id', 'id'], counter: 'seq' },
  { name: 'subscription', key: ['org_id', 'id'] },
  { name: 'delivery', key: ['org_id', 'id'], counter: 'seq' },
  { name: 'delivery_attempt', key: ['org_id', 'delivery_id', 'number'] },
  { name: 'send_again', key: ['org_id', 'subscription_id'] },
  { name: 'delivery_hour', key: ['org_id', 'subscription_id', 'hour'] },
  { name: 'idempotency', key: ['org_id', 'token_id', 'key'] },
  { name: 'rate_window', key: ['org_id', 'second'] },
  { name: 'usage_minute', key: ['org_id', 'minute', 'token_id'] },
  { name: 'import_job', key: ['org_id', 'id'] },
  { name: 'import_reject', key: ['org_id', 'import_id', 'row'] },
  { name: 'import_change', key: ['org_id', 'import_id', 'contact_id'] },
  { name: 'import_task', key: ['org_id', 'import_id', 'task_id'] },
]

/** Left out of a backup, since they are about running processes or follow from other tables. */
export const PASSING_TABLES: Partial<Record<keyof Tables | 'place_box' | 'schema_version', string>> = {
  commit_counter: 'guards the files of one data folder',
  contact_count: 'counted again from contact',
  contact_search: 'built again from contact',
  one_time_link: 'a restored one would work a second time',
  dispatcher_node: 'tells which processes are running',
  import_file: 'uploaded for a day: after a restore it is uploaded again',
  import_fix: 'belongs to an uploaded file',
  overpass_answer: 'asked again',
  overpass_place: 'asked again',
  place: 'loaded again from its file',
  place_box: 'filled by triggers on place',
  place_set: 'loaded again from its file',
  place_upload: 'uploaded for one session',
  rate_lease: 'what running processes may still let through',
  session: 'a restored one would open what was signed out of',
  sign_in_try: 'counts a quarter of an hour',
  schema_version: 'in the header of the backup',
  subscription_lease: 'tells which process works a subscription',
  task_count: 'counted again from task',
  uploaded_place: 'uploaded for one session',
}
