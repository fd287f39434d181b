/** Every table of the first version. The two texts differ in types, the contact's row id and the search index only. */
import type { Migration } from '../migrate.ts'

const sqlite = [
  `create table meta (key text primary key, value text not null) strict, without rowid`,
  `create table commit_counter (
    id integer primary key check (id = 1), commits integer not null, last_id text not null) strict`,
  `insert into commit_counter values (1, 0, '00000000-0000-0000-0000-000000000000')`,
  `create table org (
    number integer primary key autoincrement, id text not null unique, name text not null,
    plan text not null check (plan in ('pro', 'enterprise')), hourly_limit integer not null check (hourly_limit >= 0),
    strict_stages integer not null default 0, time_zone text not null default 'UTC',
    currency text not null default 'EUR', created_at text not null) strict`,
  `create table stage (
    org_id text not null references org (id), name text not null, position integer not null, color text not null,
    probability integer check (probability between 0 and 100), primary key (org_id, name)) strict, without rowid`,
  `create table label (
    org_id text not null references org (id), name text not null, position integer not null, color text not null,
    primary key (org_id, name)) strict, without rowid`,
  `create table value_rename (
    org_id text not null references org (id), field text not null check (field in ('deal_stage', 'label')),
    old_value text not null, new_value text not null, actor text not null,
    primary key (org_id, field, old_value)) strict, without rowid`,
  `create table member (
    org_id text not null references org (id), id text not null, email text not null unique, name text not null,
    role text not null check (role in ('admin', 'member')), password_hash text not null, created_at text not null,
    last_seen_at text, primary key (org_id, id)) strict`,
  `create table session (
    org_id text not null, id text not null, member_id text not null, hash text not null unique,
    user_agent text not null, created_at text not null, last_used_at text not null, primary key (org_id, id),
    foreign key (org_id, member_id) references member (org_id, id)) strict`,
  `create index session_member on session (org_id, member_id)`,
  `create index session_created on session (created_at)`,
  `create index session_last_used on session (last_used_at)`,
  `create table one_time_link (
    org_id text not null references org (id), id text not null, kind text not null check (kind in ('invitation', 'reset')),
    hash text not null unique, email text not null, role text not null check (role in ('admin', 'member')),
    member_id text, created_by text not null, created_at text not null, expires_at text not null,
    primary key (org_id, id), foreign key (org_id, member_id) references member (org_id, id)) strict`,
  `create index one_time_link_member on one_time_link (org_id, member_id) where member_id is not null`,
  `create index one_time_link_expires on one_time_link (expires_at)`,
  `create table sign_in_try (
    subject text primary key, times text not null, newest_at text not null) strict, without rowid`,
  `create index sign_in_try_newest on sign_in_try (newest_at)`,
  `create table api_token (
    org_id text not null references org (id), id text not null, name text not null, prefix text not null,
    hash text not null unique, scopes text not null, created_at text not null, created_by text not null,
    last_used_at text, revoked_at text, revoked_by text, primary key (org_id, id)) strict`,

  `create table contact (
    row_id integer primary key, org_id text not null references org (id), id text not null,
    full_name text, company text, email text, phone text, location text, deal_stage text, deal_value real, label text,
    tags text not null, search_text text not null, last_event_at text not null, created_at text not null,
    updated_at text not null, updated_by text, unique (org_id, id), check (full_name is not null or company is not null)) strict`,
  `create index contact_stage on contact (org_id, deal_stage, id)`,
  `create index contact_label on contact (org_id, label, id)`,
  `create index contact_stage_label on contact (org_id, deal_stage, label, id)`,
  `create index contact_deal on contact (org_id, deal_value desc, id) where deal_stage is not null`,
  `create index contact_board on contact (org_id, deal_stage, deal_value desc, id, label) where deal_stage is not null`,
  `create index contact_created on contact (org_id, id, deal_stage, label, search_text)`,
  `create index contact_name on contact (org_id, search_text, id, deal_stage, label)`,
  `create index contact_company on contact (
    org_id, substr(search_text, instr(search_text, char(31)) + 1), id, deal_stage, label)`,
  `create index contact_value on contact (org_id, deal_value, id, deal_stage, label)`,
  `create index contact_updated on contact (org_id, updated_at, id, deal_stage, label)`,
  `create index contact_email on contact (org_id, lower(email), id) where email is not null`,
  `create table contact_count (
    org_id text not null references org (id), stage text not null, label text not null, shard integer not null,
    n integer not null, primary key (org_id, stage, label, shard)) strict, without rowid`,
  `create virtual table contact_search using fts5 (
    search_text, content = 'contact', content_rowid = 'row_id', tokenize = 'trigram case_sensitive 1')`,
  `insert into contact_search (contact_search, rank) values ('secure-delete', 1)`,
  `create trigger contact_search_insert after insert on contact begin
    insert into contact_search (rowid, search_text) values (new.row_id, new.search_text); end`,
  `create trigger contact_search_delete after delete on contact begin
    insert into contact_search (contact_search, rowid, search_text)
    values ('delete', old.row_id, old.search_text); end`,
  `create trigger contact_search_update after update of search_text on contact
    when old.search_text <> new.search_text begin
    insert into contact_search (contact_search, rowid, search_text)
    values ('delete', old.row_id, old.search_text);
    insert into contact_search (rowid, search_text) values (new.row_id, new.search_text); end`,

  `create table task (
    org_id text not null references org (id), id text not null, title text not null, priority text, category text,
    due_at text, contact_id text, status text not null check (status in ('open', 'done', 'completed', 'cancelled')),
    completed_at text, last_event_at text not null, created_at text not null, updated_at text not null,
    primary key (org_id, id), foreign key (org_id, contact_id) references contact (org_id, id)) strict`,
  `create index task_due on task (org_id, due_at, id)`,
  `create index task_status_due on task (org_id, status, due_at, id)`,
  `create index task_contact on task (org_id, contact_id, status, due_at, id) where contact_id is not null`,
  `create index task_completed on task (org_id, completed_at, id) where completed_at is not null`,
  `create index task_cancelled on task (org_id, updated_at, id) where status = 'cancelled'`,
  `create table task_count (
    org_id text not null references org (id), status text not null, shard integer not null, n integer not null,
    primary key (org_id, status, shard)) strict, without rowid`,
  `create table activity (
    org_id text not null, id text not null, contact_id text not null, kind text not null, body text not null,
    occurred_at text not null, actor text not null, edited_at text, primary key (org_id, contact_id, id),
    foreign key (org_id, contact_id) references contact (org_id, id)) strict, without rowid`,

  `create table saved_view (
    org_id text not null references org (id), id text not null, name text not null, filter text not null,
    sort text not null, columns text not null, created_by text not null, created_at text not null,
    primary key (org_id, id)) strict`,

  `create table event (
    seq integer primary key autoincrement, org_id text not null references org (id), id text not null,
    name text not null, contact_id text, task_id text, ts text not null, body blob not null, unique (org_id, id)) strict`,
  `create index event_contact on event (org_id, contact_id) where contact_id is not null`,
  `create index event_ts on event (ts)`,
  `create table subscription (
    org_id text not null references org (id), id text not null, url text not null, events text not null, note text,
    secret blob not null, previous_secret blob, previous_secret_until text, paused_at text, created_at text not null,
    deleted_at text, primary key (org_id, id)) strict`,
  `create index subscription_deleted on subscription (deleted_at) where deleted_at is not null`,
  `create table dispatcher_node (id text primary key, beats integer not null) strict, without rowid`,
  `create table subscription_lease (
    org_id text not null, subscription_id text not null, owner text, fence integer not null,
    primary key (org_id, subscription_id),
    foreign key (org_id, subscription_id) references subscription (org_id, id)) strict, without rowid`,
  `create index subscription_lease_owner on subscription_lease (owner) where owner is not null`,
  `create table delivery (
    seq integer primary key autoincrement, org_id text not null, id text not null, subscription_id text not null,
    event_id text not null, event text not null, contact_id text, queue_key text not null, lane integer not null,
    state text not null check (state in ('ready', 'queued', 'delivered', 'failed')), attempts integer not null default 0,
    response_status integer, error text, duration_ms integer, created_at text not null, finished_at text,
    contact_deleted integer not null default 0, unique (org_id, id),
    foreign key (org_id, subscription_id) references subscription (org_id, id),
    foreign key (org_id, event_id) references event (org_id, id)) strict`,
  `create index delivery_ready on delivery (org_id, subscription_id, lane, seq, id) where state = 'ready'`,
  `create index delivery_queue on delivery (org_id, subscription_id, queue_key, seq) where state in ('ready', 'queued')`,
  `create index delivery_log on delivery (org_id, subscription_id, state, event, id)`,
  `create index delivery_contact on delivery (org_id, contact_id, id) where contact_id is not null`,
  `create index delivery_event on delivery (org_id, event_id)`,
  `create index delivery_finished on delivery (finished_at) where state in ('delivered', 'failed')`,
  `create table send_again (
    org_id text not null, subscription_id text not null, after_id text not null, until_id text not null,
    per_minute integer, total integer not null, done integer not null, next_at text not null,
    primary key (org_id, subscription_id),
    foreign key (org_id, subscription_id) references subscription (org_id, id)) strict, without rowid`,
  `create index send_again_next on send_again (next_at)`,
  `create table delivery_hour (
    org_id text not null, subscription_id text not null, hour integer not null, delivered integer not null,
    failed integer not null, primary key (org_id, subscription_id, hour),
    foreign key (org_id, subscription_id) references subscription (org_id, id)) strict, without rowid`,
  `create index delivery_hour_hour on delivery_hour (hour)`,
  `create table delivery_attempt (
    org_id text not null, delivery_id text not null, number integer not null, started_at text not null,
    duration_ms integer not null, delivered integer not null, response_status integer, error text, url text not null,
    request_headers text not null, response_headers text, response_body text, timings text not null,
    primary key (org_id, delivery_id, number),
    foreign key (org_id, delivery_id) references delivery (org_id, id)) strict, without rowid`,

  `create table idempotency (
    org_id text not null references org (id), token_id text not null, key text not null, request_hash text not null,
    contact_id text, location text, answer blob, created_at text not null, primary key (org_id, token_id, key)) strict`,
  `create index idempotency_contact on idempotency (org_id, contact_id) where contact_id is not null`,
  `create index idempotency_created on idempotency (created_at)`,
  `create table rate_window (
    org_id text not null references org (id), second integer not null, used integer not null, last_ms integer not null,
    primary key (org_id, second)) strict, without rowid`,
  `create table rate_lease (
    org_id text not null references org (id), node text not null, serial integer not null, permits integer not null,
    expires_ms integer not null, primary key (org_id, node)) strict, without rowid`,
  `create table usage_minute (
    org_id text not null references org (id), minute integer not null, token_id text not null,
    allowed integer not null, refused integer not null, primary key (org_id, minute, token_id)) strict, without rowid`,
  `create index usage_minute_minute on usage_minute (minute)`,
  `create table import_job (
    org_id text not null references org (id), id text not null,
    source text not null default 'file' check (source in ('file', 'upload', 'sample')),
    file_name text not null, file_hash text not null, file_bytes integer not null default 0, mapping text not null,
    state text not null check (state in ('uploading', 'uploaded', 'checking', 'checked', 'running', 'stopped', 'done',
      'failed', 'undoing', 'undone', 'removed')),
    rows_read integer not null, rows_added integer not null, rows_updated integer not null default 0,
    rows_skipped integer not null default 0, rows_rejected integer not null, bytes_read integer not null default 0,
    checked text, undone text, fault text, created_by text not null default 'command', owner text,
    beats integer not null default 0, has_file integer not null default 0, has_records integer not null default 1,
    started_at text not null, touched_at text not null, finished_at text, primary key (org_id, id)) strict`,
  `create index import_job_file on import_job (org_id, file_hash)`,
  `create unique index import_job_running on import_job (org_id, file_hash) where state = 'running'`,
  `create index import_job_work on import_job (state) where state in ('checking', 'running', 'undoing')`,
  `create index import_job_with_file on import_job (touched_at) where has_file = 1`,
  `create index import_job_with_records on import_job (finished_at) where has_records = 1`,
  `create table import_file (
    org_id text not null, import_id text not null, part integer not null, bytes blob not null,
    primary key (org_id, import_id, part),
    foreign key (org_id, import_id) references import_job (org_id, id)) strict`,
  `create table import_fix (
    org_id text not null, import_id text not null, row integer not null, cells text not null,
    primary key (org_id, import_id, row),
    foreign key (org_id, import_id) references import_job (org_id, id)) strict, without rowid`,
  `create table import_reject (
    org_id text not null, import_id text not null, row integer not null, cells text not null, cell integer,
    reason text not null, primary key (org_id, import_id, row),
    foreign key (org_id, import_id) references import_job (org_id, id)) strict, without rowid`,
  `create table import_change (
    org_id text not null, import_id text not null, contact_id text not null,
    kind text not null check (kind in ('added', 'updated')), at text not null, before text, after text,
    primary key (org_id, import_id, contact_id), foreign key (org_id, import_id) references import_job (org_id, id),
    foreign key (org_id, contact_id) references contact (org_id, id)) strict, without rowid`,
  `create index import_change_contact on import_change (org_id, contact_id)`,
  `create table import_task (
    org_id text not null, import_id text not null, task_id text not null, at text not null,
    primary key (org_id, import_id, task_id), foreign key (org_id, import_id) references import_job (org_id, id),
    foreign key (org_id, task_id) references task (org_id, id)) strict, without rowid`,
  `create index import_task_task on import_task (org_id, task_id)`,
]

const postgres = [
  `create extension if not exists pg_trgm`,
  `create table meta (key text primary key, value text not null)`,
  `create table org (
    number bigint generated always as identity unique, id uuid primary key, name text not null,
    plan text not null check (plan in ('pro', 'enterprise')), hourly_limit bigint not null check (hourly_limit >= 0),
    strict_stages smallint not null default 0, time_zone text not null default 'UTC',
    currency text not null default 'EUR', created_at timestamptz(3) not null)`,
  `create table stage (
    org_id uuid not null references org (id), name text not null, position integer not null, color text not null,
    probability smallint check (probability between 0 and 100), primary key (org_id, name))`,
  `create table label (
    org_id uuid not null references org (id), name text not null, position integer not null, color text not null,
    primary key (org_id, name))`,
  `create table value_rename (
    org_id uuid not null references org (id), field text not null check (field in ('deal_stage', 'label')),
    old_value text not null, new_value text not null, actor text not null, primary key (org_id, field, old_value))`,
  `create table member (
    org_id uuid not null references org (id), id uuid not null, email text not null unique, name text not null,
    role text not null check (role in ('admin', 'member')), password_hash text not null,
    created_at timestamptz(3) not null, last_seen_at timestamptz(3), primary key (org_id, id))`,
  `create table session (
    org_id uuid not null, id uuid not null, member_id uuid not null, hash text not null unique,
    user_agent text not null, created_at timestamptz(3) not null, last_used_at timestamptz(3) not null,
    primary key (org_id, id), foreign key (org_id, member_id) references member (org_id, id))`,
  `create index session_member on session (org_id, member_id)`,
  `create index session_created on session (created_at)`,
  `create index session_last_used on session (last_used_at)`,
  `create table one_time_link (
    org_id uuid not null references org (id), id uuid not null, kind text not null check (kind in ('invitation', 'reset')),
    hash text not null unique, email text not null, role text not null check (role in ('admin', 'member')),
    member_id uuid, created_by text not null, created_at timestamptz(3) not null, expires_at timestamptz(3) not null,
    primary key (org_id, id), foreign key (org_id, member_id) references member (org_id, id))`,
  `create index one_time_link_member on one_time_link (org_id, member_id) where member_id is not null`,
  `create index one_time_link_expires on one_time_link (expires_at)`,
  `create table sign_in_try (
    subject text primary key, times text not null, newest_at timestamptz(3) not null)`,
  `create index sign_in_try_newest on sign_in_try (newest_at)`,
  `create table api_token (
    org_id uuid not null references org (id), id uuid not null, name text not null, prefix text not null,
    hash text not null unique, scopes text not null, created_at timestamptz(3) not null, created_by text not null,
    last_used_at timestamptz(3), revoked_at timestamptz(3), revoked_by text, primary key (org_id, id))`,

  `create table contact (
    org_id uuid not null references org (id), id uuid not null, full_name text, company text, email text, phone text,
    location text, deal_stage text, deal_value double precision, label text, tags text not null,
    search_text text collate "C" not null, last_event_at timestamptz(3) not null, created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null, updated_by text, primary key (org_id, id),
    check (full_name is not null or company is not null))`,
  `create index contact_stage on contact (org_id, deal_stage, id)`,
  `create index contact_label on contact (org_id, label, id)`,
  `create index contact_stage_label on contact (org_id, deal_stage, label, id)`,
  `create index contact_deal on contact (org_id, deal_value desc nulls last, id) where deal_stage is not null`,
  `create index contact_board on contact (org_id, deal_stage, deal_value desc nulls last, id, label)
    where deal_stage is not null`,
  `create index contact_name on contact (org_id, left(search_text, 100), id)`,
  `create index contact_company on contact (org_id, left(split_part(search_text, chr(31), 2), 100), id)`,
  `create index contact_value on contact (org_id, deal_value, id)`,
  `create index contact_updated on contact (org_id, updated_at, id)`,
  `create index contact_email on contact (org_id, lower(email collate "C"), id) where email is not null`,
  `create index contact_search on contact using gin (search_text gin_trgm_ops)`,
  `create table contact_count (
    org_id uuid not null references org (id), stage text not null, label text not null, shard smallint not null,
    n bigint not null, primary key (org_id, stage, label, shard))`,

  `create table task (
    org_id uuid not null references org (id), id uuid not null, title text not null, priority text, category text,
    due_at timestamptz(3), contact_id uuid,
    status text not null check (status in ('open', 'done', 'completed', 'cancelled')), completed_at timestamptz(3),
    last_event_at timestamptz(3) not null, created_at timestamptz(3) not null, updated_at timestamptz(3) not null,
    primary key (org_id, id), foreign key (org_id, contact_id) references contact (org_id, id))`,
  `create index task_due on task (org_id, due_at, id)`,
  `create index task_status_due on task (org_id, status, due_at, id)`,
  `create index task_contact on task (org_id, contact_id, status, due_at, id) where contact_id is not null`,
  `create index task_completed on task (org_id, completed_at, id) where completed_at is not null`,
  `create index task_cancelled on task (org_id, updated_at, id) where status = 'cancelled'`,
  `create table task_count (
    org_id uuid not null references org (id), status text not null, shard smallint not null, n bigint not null,
    primary key (org_id, status, shard))`,
  `create table activity (
    org_id uuid not null, id uuid not null, contact_id uuid not null, kind text not null, body text not null,
    occurred_at timestamptz(3) not null, actor text not null, edited_at timestamptz(3),
    primary key (org_id, contact_id, id),
    foreign key (org_id, contact_id) references contact (org_id, id))`,

  `create table saved_view (
    org_id uuid not null references org (id), id uuid not null, name text not null, filter text not null,
    sort text not null, columns text not null, created_by text not null, created_at timestamptz(3) not null,
    primary key (org_id, id))`,

  `create table event (
    seq bigint generated always as identity, org_id uuid not null references org (id), id uuid not null,
    name text not null, contact_id uuid, task_id uuid, ts timestamptz(3) not null, body bytea not null,
    primary key (org_id, id))`,
  `create index event_seq on event (seq)`,
  `create index event_contact on event (org_id, contact_id) where contact_id is not null`,
  `create index event_ts on event (ts)`,
  `create table subscription (
    org_id uuid not null references org (id), id uuid not null, url text not null, events text not null, note text,
    secret bytea not null, previous_secret bytea, previous_secret_until timestamptz(3), paused_at timestamptz(3),
    created_at timestamptz(3) not null, deleted_at timestamptz(3), primary key (org_id, id))`,
  `create index subscription_deleted on subscription (deleted_at) where deleted_at is not null`,
  `create table dispatcher_node (id text primary key, beats bigint not null)`,
  `create table subscription_lease (
    org_id uuid not null, subscription_id uuid not null, owner text, fence bigint not null,
    primary key (org_id, subscription_id),
    foreign key (org_id, subscription_id) references subscription (org_id, id))`,
  `create index subscription_lease_owner on subscription_lease (owner) where owner is not null`,
  `create table delivery (
    seq bigint generated always as identity, org_id uuid not null, id uuid not null, subscription_id uuid not null,
    event_id uuid not null, event text not null, contact_id uuid, queue_key uuid not null, lane smallint not null,
    state text not null check (state in ('ready', 'queued', 'delivered', 'failed')), attempts integer not null default 0,
    response_status integer, error text, duration_ms integer, created_at timestamptz(3) not null,
    finished_at timestamptz(3), contact_deleted smallint not null default 0, primary key (org_id, id),
    foreign key (org_id, subscription_id) references subscription (org_id, id),
    foreign key (org_id, event_id) references event (org_id, id))`,
  `create index delivery_ready on delivery (org_id, subscription_id, lane, seq, id) where state = 'ready'`,
  `create index delivery_queue on delivery (org_id, subscription_id, queue_key, seq) where state in ('ready', 'queued')`,
  `create index delivery_log on delivery (org_id, subscription_id, state, event, id)`,
  `create index delivery_contact on delivery (org_id, contact_id, id) where contact_id is not null`,
  `create index delivery_event on delivery (org_id, event_id)`,
  `create index delivery_finished on delivery (finished_at) where state in ('delivered', 'failed')`,
  `create table send_again (
    org_id uuid not null, subscription_id uuid not null, after_id uuid not null, until_id uuid not null,
    per_minute integer, total integer not null, done integer not null, next_at timestamptz(3) not null,
    primary key (org_id, subscription_id),
    foreign key (org_id, subscription_id) references subscription (org_id, id))`,
  `create index send_again_next on send_again (next_at)`,
  `create table delivery_hour (
    org_id uuid not null, subscription_id uuid not null, hour bigint not null, delivered bigint not null,
    failed bigint not null, primary key (org_id, subscription_id, hour),
    foreign key (org_id, subscription_id) references subscription (org_id, id))`,
  `create index delivery_hour_hour on delivery_hour (hour)`,
  `create table delivery_attempt (
    org_id uuid not null, delivery_id uuid not null, number integer not null, started_at timestamptz(3) not null,
    duration_ms integer not null, delivered smallint not null, response_status integer, error text, url text not null,
    request_headers text not null, response_headers text, response_body text, timings text not null,
    primary key (org_id, delivery_id, number),
    foreign key (org_id, delivery_id) references delivery (org_id, id))`,

  `create table idempotency (
    org_id uuid not null references org (id), token_id uuid not null, key text not null, request_hash text not null,
    contact_id uuid, location text, answer bytea, created_at timestamptz(3) not null,
    primary key (org_id, token_id, key))`,
  `create index idempotency_contact on idempotency (org_id, contact_id) where contact_id is not null`,
  `create index idempotency_created on idempotency (created_at)`,
  `create table rate_window (
    org_id uuid not null references org (id), second bigint not null, used bigint not null, last_ms bigint not null,
    primary key (org_id, second))`,
  `create table rate_lease (
    org_id uuid not null references org (id), node text not null, serial bigint not null, permits bigint not null,
    expires_ms bigint not null, primary key (org_id, node))`,
  `create table usage_minute (
    org_id uuid not null references org (id), minute bigint not null, token_id uuid not null,
    allowed bigint not null, refused bigint not null, primary key (org_id, minute, token_id))`,
  `create index usage_minute_minute on usage_minute (minute)`,
  `create table import_job (
    org_id uuid not null references org (id), id uuid not null,
    source text not null default 'file' check (source in ('file', 'upload', 'sample')),
    file_name text not null, file_hash text not null, file_bytes bigint not null default 0, mapping text not null,
    state text not null check (state in ('uploading', 'uploaded', 'checking', 'checked', 'running', 'stopped', 'done',
      'failed', 'undoing', 'undone', 'removed')),
    rows_read integer not null, rows_added integer not null, rows_updated integer not null default 0,
    rows_skipped integer not null default 0, rows_rejected integer not null, bytes_read bigint not null default 0,
    checked text, undone text, fault text, created_by text not null default 'command', owner text,
    beats bigint not null default 0, has_file smallint not null default 0, has_records smallint not null default 1,
    started_at timestamptz(3) not null, touched_at timestamptz(3) not null, finished_at timestamptz(3), primary key (org_id, id))`,
  `create index import_job_file on import_job (org_id, file_hash)`,
  `create unique index import_job_running on import_job (org_id, file_hash) where state = 'running'`,
  `create index import_job_work on import_job (state) where state in ('checking', 'running', 'undoing')`,
  `create index import_job_with_file on import_job (touched_at) where has_file = 1`,
  `create index import_job_with_records on import_job (finished_at) where has_records = 1`,
  `create table import_file (
    org_id uuid not null, import_id uuid not null, part integer not null, bytes bytea not null,
    primary key (org_id, import_id, part),
    foreign key (org_id, import_id) references import_job (org_id, id))`,
  `create table import_fix (
    org_id uuid not null, import_id uuid not null, row integer not null, cells text not null,
    primary key (org_id, import_id, row),
    foreign key (org_id, import_id) references import_job (org_id, id))`,
  `create table import_reject (
    org_id uuid not null, import_id uuid not null, row integer not null, cells text not null, cell integer,
    reason text not null, primary key (org_id, import_id, row),
    foreign key (org_id, import_id) references import_job (org_id, id))`,
  `create table import_change (
    org_id uuid not null, import_id uuid not null, contact_id uuid not null,
    kind text not null check (kind in ('added', 'updated')), at timestamptz(3) not null, before text, after text,
    primary key (org_id, import_id, contact_id), foreign key (org_id, import_id) references import_job (org_id, id),
    foreign key (org_id, contact_id) references contact (org_id, id))`,
  `create index import_change_contact on import_change (org_id, contact_id)`,
  `create table import_task (
    org_id uuid not null, import_id uuid not null, task_id uuid not null, at timestamptz(3) not null,
    primary key (org_id, import_id, task_id), foreign key (org_id, import_id) references import_job (org_id, id),
    foreign key (org_id, task_id) references task (org_id, id))`,
  `create index import_task_task on import_task (org_id, task_id)`,
]

export const first: Migration = { version: 1, name: 'first', sqlite, postgres }
