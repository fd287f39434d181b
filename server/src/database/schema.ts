/**
 * The tables as both engines hold them. Ids are UUIDv7 text, times ISO 8601 UTC text, JSON is text and booleans are 0
 * or 1 in both; what differs between the engines stays in this folder.
 */
import type { Generated, Kysely, Transaction } from 'kysely'

/** Reads: the read connection, the slow reader or a transaction. */
export type Reader = Kysely<Tables>

/** Writes: what a store function that changes anything takes, so that no write happens outside a transaction. */
export type Tx = Transaction<Tables>

export interface Tables {
  activity: ActivityTable
  api_token: ApiTokenTable
  commit_counter: CommitCounterTable
  contact: ContactTable
  contact_count: ContactCountTable
  contact_search: ContactSearchTable
  delivery: DeliveryTable
  delivery_attempt: DeliveryAttemptTable
  dispatcher_node: DispatcherNodeTable
  event: EventTable
  idempotency: IdempotencyTable
  import_job: ImportJobTable
  import_reject: ImportRejectTable
  member: MemberTable
  meta: MetaTable
  org: OrgTable
  rate_lease: RateLeaseTable
  rate_window: RateWindowTable
  stage: StageTable
  subscription: SubscriptionTable
  subscription_lease: SubscriptionLeaseTable
  task: TaskTable
  task_count: TaskCountTable
}

/** Facts about the database itself: which signing key fits it, the hash of the set-up code. */
interface MetaTable {
  key: string
  value: string
}

/** SQLite only, one row: see `sqlite-files.ts`. `last_id` keeps ids growing from one process to the next. */
interface CommitCounterTable {
  id: 1
  commits: number
  last_id: string
}

export interface OrgTable {
  id: string
  /** Leads the row ids of the org's contacts in SQLite, so that a search reads one org's range of the index. */
  number: Generated<number>
  name: string
  plan: 'pro' | 'enterprise'
  hourly_limit: number
  strict_stages: number
  created_at: string
}

/** The org's pipeline: one row a stage, in order of `position`. */
interface StageTable {
  org_id: string
  name: string
  position: number
  color: string
  /** Chance of winning in percent, or null where nobody has set it. */
  probability: number | null
}

export interface MemberTable {
  id: string
  org_id: string
  /** Lower case; one person is one member of one org. */
  email: string
  name: string
  role: 'admin' | 'member'
  password_hash: string
  created_at: string
  last_seen_at: string | null
}

export interface ApiTokenTable {
  org_id: string
  id: string
  name: string
  /** The first 12 characters of the token, all that is ever listed. */
  prefix: string
  /** SHA-256 of the whole token, hex. */
  hash: string
  /** `read`, `write` or `read,write`. */
  scopes: string
  created_at: string
  created_by: string
  last_used_at: string | null
  revoked_at: string | null
}

export interface ContactTable {
  /** SQLite only: the org's number × 2^32 + n, growing with the id within an org; the search index points here. */
  row_id: Generated<number>
  org_id: string
  id: string
  full_name: string | null
  company: string | null
  email: string | null
  phone: string | null
  location: string | null
  deal_stage: string | null
  deal_value: number | null
  label: string | null
  /** JSON array of strings. */
  tags: string
  /** Folded name and company: see `search-text.ts`. */
  search_text: string
  /** `ts` of the newest event about this contact, which the next one has to exceed. */
  last_event_at: string
  created_at: string
  updated_at: string
}

/** SQLite only: the trigram index over `contact.search_text`, kept by triggers. */
interface ContactSearchTable {
  rowid: number
  contact_search: string
}

/** How many contacts an org has by stage and label; '' stands for null. Summed over `shard`, which spreads writers. */
interface ContactCountTable {
  org_id: string
  stage: string
  label: string
  shard: number
  n: number
}

export interface TaskTable {
  org_id: string
  id: string
  title: string
  priority: string | null
  category: string | null
  due_at: string | null
  contact_id: string | null
  status: 'open' | 'done' | 'completed' | 'cancelled'
  completed_at: string | null
  last_event_at: string
  created_at: string
  updated_at: string
}

interface TaskCountTable {
  org_id: string
  status: string
  shard: number
  n: number
}

export interface ActivityTable {
  org_id: string
  id: string
  contact_id: string
  kind: string
  body: string
  occurred_at: string
  /** Who did it, as it is shown: `token:<id>`, `member:<id>`, `import:<id>` or `command`. */
  actor: string
}

export interface EventTable {
  seq: Generated<number>
  org_id: string
  id: string
  name: string
  contact_id: string | null
  task_id: string | null
  ts: string
  /** The exact bytes that are signed and sent. */
  body: Uint8Array
}

export interface SubscriptionTable {
  org_id: string
  id: string
  url: string
  /** JSON array of event names. */
  events: string
  note: string | null
  /** Sealed signing secret: see `webhooks/secret-box.ts`. */
  secret: Uint8Array
  previous_secret: Uint8Array | null
  previous_secret_until: string | null
  paused_at: string | null
  created_at: string
  /** When it was deleted: nobody sees or serves it from then on, and its rows are erased little by little. */
  deleted_at: string | null
}

/** Which process works a subscription, and the fencing number of its turn. See `webhooks/leases.ts`. */
interface SubscriptionLeaseTable {
  org_id: string
  subscription_id: string
  owner: string | null
  fence: number
}

/** A process that sends deliveries. It is alive as long as `beats` goes on growing. */
interface DispatcherNodeTable {
  id: string
  beats: number
}

export interface DeliveryTable {
  seq: Generated<number>
  org_id: string
  id: string
  subscription_id: string
  event_id: string
  event: string
  contact_id: string | null
  /** The contact's id, or the task's where there is no contact: deliveries of one queue leave one after another. */
  queue_key: string
  /** 0: what people and programs do; 1: a large import, which waits behind. */
  lane: number
  /** `ready` is the head of its queue and may be sent; `queued` waits behind a head. Both are pending to the outside. */
  state: 'ready' | 'queued' | 'delivered' | 'failed'
  attempts: Generated<number>
  response_status: number | null
  error: string | null
  duration_ms: number | null
  created_at: string
  finished_at: string | null
  /** 1: its contact is gone; never listed, and erased as soon as it has been sent. */
  contact_deleted: Generated<number>
}

export interface DeliveryAttemptTable {
  org_id: string
  delivery_id: string
  number: number
  started_at: string
  duration_ms: number
  delivered: number
  response_status: number | null
  error: string | null
  url: string
  /** JSON arrays of `[name, value]`. */
  request_headers: string
  response_headers: string | null
  response_body: string | null
  /** JSON `{resolve_ms, connect_ms, tls_ms, first_byte_ms}`. */
  timings: string
}

export interface IdempotencyTable {
  org_id: string
  token_id: string
  key: string
  /** SHA-256 of the path and the body's bytes, hex. */
  request_hash: string
  contact_id: string | null
  location: string | null
  /** The first answer's bytes; null once the contact it told about is deleted. */
  answer: Uint8Array | null
  created_at: string
}

/** Requests of one org that were let through in one second of the window's clock. */
export interface RateWindowTable {
  org_id: string
  second: number
  used: number
  /** When the last of them was let through: an hour later they no longer count. */
  last_ms: number
}

/** Permits that a process has taken out of the org's window and may use until `expires_ms`. */
export interface RateLeaseTable {
  org_id: string
  node: string
  /** Counts the node's exchanges for this org: it tells a node whether one of unknown outcome was committed. */
  serial: number
  permits: number
  expires_ms: number
}

export interface ImportJobTable {
  org_id: string
  id: string
  file_name: string
  /** SHA-256 of the file's bytes, hex. */
  file_hash: string
  /** JSON `{format, mapping}`: how the file is read, and which column goes to which field. */
  mapping: string
  state: 'running' | 'done'
  rows_read: number
  rows_added: number
  rows_rejected: number
  started_at: string
  finished_at: string | null
}

export interface ImportRejectTable {
  org_id: string
  import_id: string
  row: number
  /** JSON array of the row's cells. */
  cells: string
  reason: string
}
