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
  contact_place: ContactPlaceTable
  contact_search: ContactSearchTable
  delivery: DeliveryTable
  delivery_attempt: DeliveryAttemptTable
  delivery_hour: DeliveryHourTable
  dispatcher_node: DispatcherNodeTable
  event: EventTable
  idempotency: IdempotencyTable
  import_change: ImportChangeTable
  import_file: ImportFileTable
  import_fix: ImportFixTable
  import_job: ImportJobTable
  import_reject: ImportRejectTable
  import_task: ImportTaskTable
  label: LabelTable
  member: MemberTable
  meta: MetaTable
  one_time_link: OneTimeLinkTable
  org: OrgTable
  overpass_answer: OverpassAnswerTable
  overpass_place: OverpassPlaceTable
  place: PlaceTable
  place_box: PlaceBoxTable
  place_set: PlaceSetTable
  place_upload: PlaceUploadTable
  rate_lease: RateLeaseTable
  rate_window: RateWindowTable
  session: SessionTable
  sign_in_try: SignInTryTable
  send_again: SendAgainTable
  saved_view: SavedViewTable
  stage: StageTable
  subscription: SubscriptionTable
  subscription_lease: SubscriptionLeaseTable
  task: TaskTable
  task_count: TaskCountTable
  uploaded_place: UploadedPlaceTable
  usage_minute: UsageMinuteTable
  value_rename: ValueRenameTable
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
  /** As IANA names it. */
  time_zone: Generated<string>
  /** ISO 4217: what deal values are in. */
  currency: Generated<string>
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

/** The labels that are offered, in order of `position`; a contact may have any other. */
interface LabelTable {
  org_id: string
  name: string
  position: number
  color: string
}

/** A stage or label that was renamed, until no contact has the old name any more. */
export interface ValueRenameTable {
  org_id: string
  field: 'deal_stage' | 'label'
  old_value: string
  new_value: string
  /** Who renamed it, as it is kept with each contact's history. */
  actor: string
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

/** A browser that a member has signed in with. */
export interface SessionTable {
  org_id: string
  id: string
  member_id: string
  /** SHA-256 of the cookie's value, hex. */
  hash: string
  /** As the browser named itself, for the list of one's sessions. */
  user_agent: string
  created_at: string
  /** To the minute: see `sessions/last-uses.ts`. */
  last_used_at: string
}

/** An invitation to an org, or a member's way to another password. It is erased as it is used. */
export interface OneTimeLinkTable {
  org_id: string
  id: string
  kind: 'invitation' | 'reset'
  /** SHA-256 of the token in the link, hex. */
  hash: string
  /** Lower case: whom it is for. */
  email: string
  role: 'admin' | 'member'
  /** Whose password it resets; null in an invitation. */
  member_id: string | null
  created_by: string
  created_at: string
  expires_at: string
}

/** Failed tries to sign in of the last quarter of an hour, by whom they were for or where they came from. */
export interface SignInTryTable {
  /** `account:<SHA-256 of the e-mail address>`, `address:<IP address or network>` or `member:<id>`. */
  subject: string
  /** JSON array of Unix milliseconds, oldest first. */
  times: string
  newest_at: string
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
  revoked_by: string | null
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
  /** Who changed it last, as an actor's name; null while nobody has. */
  updated_by: Generated<string | null>
}

/** SQLite only: the trigram index over `contact.search_text`, kept by `contacts/store.ts`. */
interface ContactSearchTable {
  rowid: number
  search_text: string
  /** Where something is written: a command to the index in place of a row. Where it is read: what a text is matched with. */
  contact_search: Generated<string>
}

/** How many contacts an org has by stage and label; '' stands for null. Summed over `shard`, which spreads writers. */
interface ContactCountTable {
  org_id: string
  stage: string
  label: string
  shard: number
  n: number
}

/** Where a contact that was found on a map comes from. Its website stands here: a contact has no such field. */
export interface ContactPlaceTable {
  org_id: string
  contact_id: string
  /** Within which `source_id` is one place: `osm` and `gers`, whose ids are known everywhere, else the source's id. */
  origin: string
  source_id: string
  /** The source's name at that time. */
  source: string
  licence: string | null
  attribution: string
  attribution_url: string | null
  category: string | null
  website: string | null
  /** The website as it is compared: see `prospecting/website.ts`. */
  website_key: string | null
  /** The latitude's band of 0.002 degrees: places near one are found by bands next to each other and a longitude. */
  band: number
  latitude: number
  longitude: number
  added_at: string
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
  /** When somebody last changed their own note; null where nobody has. */
  edited_at: Generated<string | null>
}

/** A filter, sort and columns of the contacts list, under a name that all members of the org see. */
export interface SavedViewTable {
  org_id: string
  id: string
  name: string
  /** JSON: a `ContactFilter`. */
  filter: string
  sort: string
  /** JSON array of column names; empty where the view leaves them as they are. */
  columns: string
  /** As an actor's name: `member:<id>`. */
  created_by: string
  created_at: string
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

/** Failed deliveries of a subscription that are being made due again, the oldest first. */
export interface SendAgainTable {
  org_id: string
  subscription_id: string
  /** Those up to this id have been dealt with. */
  after_id: string
  until_id: string
  /** Null for as fast as they can be sent. */
  per_minute: number | null
  /** How many had failed when it began. */
  total: number
  done: number
  next_at: string
}

/** How the attempts of one hour ended, for the charts: a delivery that is sent again counts again. */
export interface DeliveryHourTable {
  org_id: string
  subscription_id: string
  /** Hours since 1970, UTC. */
  hour: number
  delivered: number
  failed: number
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

/** API requests of one token in one minute, for the chart: the limit itself is kept by `rate_window`. */
export interface UsageMinuteTable {
  org_id: string
  /** Minutes since 1970, UTC. */
  minute: number
  token_id: string
  allowed: number
  refused: number
}

export interface ImportJobTable {
  org_id: string
  id: string
  /** `file`: the command reads it from its own disk; `upload`: it is in `import_file`. */
  source: Generated<'file' | 'upload' | 'sample' | 'places'>
  file_name: string
  /** SHA-256 of the file's bytes, hex. */
  file_hash: string
  file_bytes: Generated<number>
  /** JSON `{format, mapping, match, tag}`: how the file is read, where its columns go, what happens to known contacts. */
  mapping: string
  state: ImportState
  rows_read: number
  rows_added: number
  rows_updated: Generated<number>
  rows_skipped: Generated<number>
  rows_rejected: number
  bytes_read: Generated<number>
  /** JSON of the counts that the check came to. */
  checked: string | null
  /** JSON `{removed, restored, kept}`. */
  undone: string | null
  /** Why it failed, for people. */
  fault: string | null
  /** As `Actor.name`. */
  created_by: Generated<string>
  /** The process that works it. It is alive as long as `beats` goes on growing. See `imports/worker.ts`. */
  owner: string | null
  beats: Generated<number>
  /** 1 while parts of the file, or fixes of its rows, are there. */
  has_file: Generated<number>
  /** 1 while rejected rows, or what undoing needs, are there. */
  has_records: Generated<number>
  started_at: string
  /** When somebody last did something with it. */
  touched_at: string
  finished_at: string | null
}

export type ImportState =
  | 'uploading'
  | 'uploaded'
  | 'checking'
  | 'checked'
  | 'running'
  | 'stopped'
  | 'done'
  | 'failed'
  | 'undoing'
  | 'undone'
  | 'removed'

/** The bytes of an uploaded file, in parts of the same size but for the last. */
export interface ImportFileTable {
  org_id: string
  import_id: string
  part: number
  bytes: Uint8Array
}

/** A row as somebody has corrected it. */
export interface ImportFixTable {
  org_id: string
  import_id: string
  row: number
  /** JSON array of the row's cells. */
  cells: string
}

export interface ImportRejectTable {
  org_id: string
  import_id: string
  row: number
  /** JSON array of the row's cells. */
  cells: string
  /** Which of them is at fault; null when it is none alone. */
  cell: number | null
  reason: string
}

/** What an import did to a contact, for undoing it. */
export interface ImportChangeTable {
  org_id: string
  import_id: string
  contact_id: string
  kind: 'added' | 'updated'
  /** The contact's `updated_at` afterwards: another one tells that somebody has changed it since. */
  at: string
  /** JSON of the fields that were changed, as they were and as they became; null where it was added. */
  before: string | null
  after: string | null
}

/** A task that came with sample data. */
export interface ImportTaskTable {
  org_id: string
  import_id: string
  task_id: string
  /** The task's `updated_at`. */
  at: string
}

/** One loading of a file of the operator's. A set that is loaded again has a new number, and keeps its id and name. */
export interface PlaceSetTable {
  number: Generated<number>
  id: string
  name: string
  /** `loading` until its places are all there, `gone` until they are erased. */
  state: 'loading' | 'live' | 'gone'
  licence: string | null
  attribution: string
  attribution_url: string | null
  places: number
  /** Where they lie; null while there are none. */
  south: number | null
  west: number | null
  north: number | null
  east: number | null
  loaded_at: string
  /** When its loading last went on: one that has not for long was broken off. */
  touched_at: string
}

interface PlaceColumns {
  source_id: string
  name: string
  /** Folded name: see `search-text.ts`. */
  search_text: string
  category: string | null
  category_text: string | null
  address: string | null
  phone: string | null
  website: string | null
  email: string | null
  latitude: number
  longitude: number
}

export interface PlaceTable extends PlaceColumns {
  /** SQLite only: the index of positions points here. */
  row_id: Generated<number>
  set_number: number
}

/** SQLite only: the index of positions, kept by triggers. Its numbers have 32 bits, rounded to hold what they stand for. */
interface PlaceBoxTable {
  row_id: number
  set_from: number
  set_to: number
  south: number
  north: number
  west: number
  east: number
}

/** What an Overpass server said of a place the last time. */
interface OverpassPlaceTable {
  source_id: string
  /** JSON: a `Place`. */
  place: string
  answered_at: string
}

/** An answer of an Overpass server, by the address and the text of the question. */
interface OverpassAnswerTable {
  key: string
  /** JSON array. */
  source_ids: string
  is_cut: number
  answered_at: string
}

/** A file of places that a member uploaded: for the session that did, and for a day. */
export interface PlaceUploadTable {
  org_id: string
  id: string
  session_id: string
  name: string
  is_whole: Generated<number>
  licence: string | null
  attribution: string
  attribution_url: string | null
  places: Generated<number>
  south: number | null
  west: number | null
  north: number | null
  east: number | null
  created_at: string
}

export interface UploadedPlaceTable extends PlaceColumns {
  org_id: string
  upload_id: string
}
