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
  { name: 'member', key: ['org_id', 'id'] },
  { name: 'api_token', key: ['org_id', 'id'] },
  { name: 'contact', key: ['org_id', 'id'] },
  { name: 'task', key: ['org_id', 'id'] },
  { name: 'activity', key: ['org_id', 'contact_id', 'id'] },
  { name: 'event', key: ['org_id', 'id'], counter: 'seq' },
  { name: 'subscription', key: ['org_id', 'id'] },
  { name: 'delivery', key: ['org_id', 'id'], counter: 'seq' },
  { name: 'delivery_attempt', key: ['org_id', 'delivery_id', 'number'] },
  { name: 'idempotency', key: ['org_id', 'token_id', 'key'] },
  { name: 'rate_window', key: ['org_id', 'second'] },
  { name: 'import_job', key: ['org_id', 'id'] },
  { name: 'import_reject', key: ['org_id', 'import_id', 'row'] },
]

/** Left out of a backup, since they are about running processes or follow from other tables. */
export const PASSING_TABLES: Partial<Record<keyof Tables | 'schema_version', string>> = {
  commit_counter: 'guards the files of one data folder',
  contact_count: 'counted again from contact',
  contact_search: 'filled by triggers on contact',
  dispatcher_node: 'tells which processes are running',
  rate_lease: 'what running processes may still let through',
  schema_version: 'in the header of the backup',
  subscription_lease: 'tells which process works a subscription',
  task_count: 'counted again from task',
}
