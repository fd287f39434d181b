-- Made from the catalogue by: node scripts/schema-snapshot.ts
-- Schema version 4

CREATE TABLE activity (
  org_id text not null, id text not null, contact_id text not null, kind text not null, body text not null,
  occurred_at text not null, actor text not null, edited_at text, primary key (org_id, contact_id, id),
  foreign key (org_id, contact_id) references contact (org_id, id)) strict, without rowid;

CREATE TABLE api_token (
  org_id text not null references org (id), id text not null, name text not null, prefix text not null,
  hash text not null unique, scopes text not null, created_at text not null, created_by text not null,
  last_used_at text, revoked_at text, revoked_by text, primary key (org_id, id)) strict;

CREATE TABLE commit_counter (
  id integer primary key check (id = 1), commits integer not null, last_id text not null) strict;

CREATE TABLE contact (
  row_id integer primary key, org_id text not null references org (id), id text not null,
  full_name text, company text, email text, phone text, location text, deal_stage text, deal_value real, label text,
  tags text not null, search_text text not null, last_event_at text not null, created_at text not null,
  updated_at text not null, updated_by text, unique (org_id, id), check (full_name is not null or company is not null)) strict;
CREATE INDEX contact_board on contact (row_id >> 32, deal_stage, deal_value desc, row_id, label)
  where deal_stage is not null;
CREATE INDEX contact_company on contact (
  row_id >> 32, substr(search_text, instr(search_text, char(31)) + 1), row_id, deal_stage, label);
CREATE INDEX contact_created on contact (row_id >> 32, row_id, deal_stage, label, search_text);
CREATE INDEX contact_deal on contact (row_id >> 32, deal_value desc, row_id) where deal_stage is not null;
CREATE INDEX contact_email on contact (row_id >> 32, lower(email), row_id) where email is not null;
CREATE INDEX contact_label on contact (row_id >> 32, label, row_id) where label is not null;
CREATE INDEX contact_name on contact (row_id >> 32, search_text, row_id, deal_stage, label);
CREATE INDEX contact_phone on contact (row_id >> 32, substr(replace(replace(replace(replace(replace(replace(replace(
  phone, ' ', ''), '-', ''), '(', ''), ')', ''), '.', ''), '/', ''), char(160), ''), -7), row_id)
  where phone is not null;
CREATE INDEX contact_stage on contact (row_id >> 32, deal_stage, row_id) where deal_stage is not null;
CREATE INDEX contact_stage_label on contact (row_id >> 32, deal_stage, label, row_id) where deal_stage is not null and label is not null;
CREATE INDEX contact_updated on contact (row_id >> 32, updated_at, row_id, deal_stage, label);
CREATE INDEX contact_value on contact (row_id >> 32, deal_value, row_id, deal_stage, label);

CREATE TABLE contact_count (
  org_id text not null references org (id), stage text not null, label text not null, shard integer not null,
  n integer not null, primary key (org_id, stage, label, shard)) strict, without rowid;

CREATE TABLE contact_place (
  org_id text not null, contact_id text not null, origin text not null, source_id text not null,
  source text not null, licence text, attribution text not null, attribution_url text, category text, website text,
  website_key text, band integer not null, latitude real not null, longitude real not null, added_at text not null,
  primary key (org_id, contact_id), foreign key (org_id, contact_id) references contact (org_id, id)) strict;
CREATE UNIQUE INDEX contact_place_origin on contact_place (org_id, origin, source_id);
CREATE INDEX contact_place_position on contact_place (org_id, band, longitude, latitude, contact_id);
CREATE INDEX contact_place_website on contact_place (org_id, website_key) where website_key is not null;

CREATE VIRTUAL TABLE contact_search using fts5 (
  search_text, content = 'contact', content_rowid = 'row_id', tokenize = 'trigram case_sensitive 1');

CREATE TABLE delivery (
  seq integer primary key autoincrement, org_id text not null, id text not null, subscription_id text not null,
  event_id text not null, event text not null, contact_id text, queue_key text not null, lane integer not null,
  state text not null check (state in ('ready', 'queued', 'delivered', 'failed')), attempts integer not null default 0,
  response_status integer, error text, duration_ms integer, created_at text not null, finished_at text,
  contact_deleted integer not null default 0, unique (org_id, id),
  foreign key (org_id, subscription_id) references subscription (org_id, id),
  foreign key (org_id, event_id) references event (org_id, id)) strict;
CREATE INDEX delivery_contact on delivery (org_id, contact_id, id) where contact_id is not null;
CREATE INDEX delivery_event on delivery (org_id, event_id);
CREATE INDEX delivery_finished on delivery (finished_at) where state in ('delivered', 'failed');
CREATE INDEX delivery_log on delivery (org_id, subscription_id, state, event, id);
CREATE INDEX delivery_queue on delivery (org_id, subscription_id, queue_key, seq) where state in ('ready', 'queued');
CREATE INDEX delivery_ready on delivery (org_id, subscription_id, lane, seq, id) where state = 'ready';

CREATE TABLE delivery_attempt (
  org_id text not null, delivery_id text not null, number integer not null, started_at text not null,
  duration_ms integer not null, delivered integer not null, response_status integer, error text, url text not null,
  request_headers text not null, response_headers text, response_body text, timings text not null,
  primary key (org_id, delivery_id, number),
  foreign key (org_id, delivery_id) references delivery (org_id, id)) strict, without rowid;

CREATE TABLE delivery_hour (
  org_id text not null, subscription_id text not null, hour integer not null, delivered integer not null,
  failed integer not null, primary key (org_id, subscription_id, hour),
  foreign key (org_id, subscription_id) references subscription (org_id, id)) strict, without rowid;
CREATE INDEX delivery_hour_hour on delivery_hour (hour);

CREATE TABLE dispatcher_node (id text primary key, beats integer not null) strict, without rowid;

CREATE TABLE event (
  seq integer primary key autoincrement, org_id text not null references org (id), id text not null,
  name text not null, contact_id text, task_id text, ts text not null, body blob not null, unique (org_id, id)) strict;
CREATE INDEX event_contact on event (org_id, contact_id) where contact_id is not null;
CREATE INDEX event_ts on event (ts);

CREATE TABLE idempotency (
  org_id text not null references org (id), token_id text not null, key text not null, request_hash text not null,
  contact_id text, location text, answer blob, created_at text not null, primary key (org_id, token_id, key)) strict;
CREATE INDEX idempotency_contact on idempotency (org_id, contact_id) where contact_id is not null;
CREATE INDEX idempotency_created on idempotency (created_at);

CREATE TABLE import_change (
  org_id text not null, import_id text not null, contact_id text not null,
  kind text not null check (kind in ('added', 'updated')), at text not null, before text, after text,
  primary key (org_id, import_id, contact_id), foreign key (org_id, import_id) references import_job (org_id, id),
  foreign key (org_id, contact_id) references contact (org_id, id)) strict, without rowid;
CREATE INDEX import_change_contact on import_change (org_id, contact_id);

CREATE TABLE import_file (
  org_id text not null, import_id text not null, part integer not null, bytes blob not null,
  primary key (org_id, import_id, part),
  foreign key (org_id, import_id) references import_job (org_id, id)) strict;

CREATE TABLE import_fix (
  org_id text not null, import_id text not null, row integer not null, cells text not null,
  primary key (org_id, import_id, row),
  foreign key (org_id, import_id) references import_job (org_id, id)) strict, without rowid;

CREATE TABLE import_job (
  org_id text not null references org (id), id text not null,
  file_name text not null, file_hash text not null, file_bytes integer not null default 0, mapping text not null,
  state text not null check (state in ('uploading', 'uploaded', 'checking', 'checked', 'running', 'stopped', 'done',
  'failed', 'undoing', 'undone', 'removed')),
  rows_read integer not null, rows_added integer not null, rows_updated integer not null default 0,
  rows_skipped integer not null default 0, rows_rejected integer not null, bytes_read integer not null default 0,
  checked text, undone text, fault text, created_by text not null default 'command', owner text,
  beats integer not null default 0, has_file integer not null default 0, has_records integer not null default 1,
  started_at text not null, touched_at text not null, finished_at text, source text not null default 'file'
  check (source in ('file', 'upload', 'sample', 'places')), primary key (org_id, id)) strict;
CREATE INDEX import_job_file on import_job (org_id, file_hash);
CREATE UNIQUE INDEX import_job_running on import_job (org_id, file_hash) where state = 'running';
CREATE INDEX import_job_with_file on import_job (touched_at) where has_file = 1;
CREATE INDEX import_job_with_records on import_job (finished_at) where has_records = 1;
CREATE INDEX import_job_work on import_job (state) where state in ('checking', 'running', 'undoing');

CREATE TABLE import_reject (
  org_id text not null, import_id text not null, row integer not null, cells text not null, cell integer,
  reason text not null, primary key (org_id, import_id, row),
  foreign key (org_id, import_id) references import_job (org_id, id)) strict, without rowid;

CREATE TABLE import_task (
  org_id text not null, import_id text not null, task_id text not null, at text not null,
  primary key (org_id, import_id, task_id), foreign key (org_id, import_id) references import_job (org_id, id),
  foreign key (org_id, task_id) references task (org_id, id)) strict, without rowid;
CREATE INDEX import_task_task on import_task (org_id, task_id);

CREATE TABLE label (
  org_id text not null references org (id), name text not null, position integer not null, color text not null,
  primary key (org_id, name)) strict, without rowid;

CREATE TABLE member (
  org_id text not null references org (id), id text not null, email text not null unique, name text not null,
  role text not null check (role in ('admin', 'member')), password_hash text not null, created_at text not null,
  last_seen_at text, primary key (org_id, id)) strict;

CREATE TABLE meta (key text primary key, value text not null) strict, without rowid;

CREATE TABLE one_time_link (
  org_id text not null references org (id), id text not null, kind text not null check (kind in ('invitation', 'reset')),
  hash text not null unique, email text not null, role text not null check (role in ('admin', 'member')),
  member_id text, created_by text not null, created_at text not null, expires_at text not null,
  primary key (org_id, id), foreign key (org_id, member_id) references member (org_id, id)) strict;
CREATE INDEX one_time_link_expires on one_time_link (expires_at);
CREATE INDEX one_time_link_member on one_time_link (org_id, member_id) where member_id is not null;

CREATE TABLE org (
  number integer primary key autoincrement, id text not null unique, name text not null,
  plan text not null check (plan in ('pro', 'enterprise')), hourly_limit integer not null check (hourly_limit >= 0),
  strict_stages integer not null default 0, time_zone text not null default 'UTC',
  currency text not null default 'EUR', created_at text not null) strict;

CREATE TABLE overpass_answer (
  key text primary key, source_ids text not null, is_cut integer not null, answered_at text not null)
  strict, without rowid;
CREATE INDEX overpass_answer_answered on overpass_answer (answered_at);

CREATE TABLE overpass_place (
  source_id text primary key, place text not null, answered_at text not null) strict, without rowid;
CREATE INDEX overpass_place_answered on overpass_place (answered_at);

CREATE TABLE place (
  row_id integer primary key, set_number integer not null references place_set (number), source_id text not null,
  name text not null, search_text text not null, category text, category_text text, address text, phone text,
  website text, email text, latitude real not null, longitude real not null, unique (set_number, source_id)) strict;
CREATE TRIGGER place_delete after delete on place begin
  delete from place_box where row_id = old.row_id; end;
CREATE TRIGGER place_insert after insert on place begin
  insert into place_box values (new.row_id, new.set_number, new.set_number + 1, new.latitude, new.latitude,
  new.longitude, new.longitude); end;

CREATE VIRTUAL TABLE place_box using rtree (row_id, set_from, set_to, south, north, west, east);

CREATE TABLE place_set (
  number integer primary key autoincrement, id text not null, name text not null,
  state text not null check (state in ('loading', 'live', 'gone')), licence text, attribution text not null,
  attribution_url text, places integer not null, south real, west real, north real, east real,
  loaded_at text not null, touched_at text not null) strict;
CREATE UNIQUE INDEX place_set_live_id on place_set (id) where state = 'live';
CREATE UNIQUE INDEX place_set_live_name on place_set (name) where state = 'live';

CREATE TABLE place_upload (
  org_id text not null references org (id), id text not null, session_id text not null, name text not null,
  is_whole integer not null default 0, licence text, attribution text not null, attribution_url text,
  places integer not null default 0, south real, west real, north real, east real, created_at text not null,
  primary key (org_id, id)) strict;
CREATE INDEX place_upload_session on place_upload (org_id, session_id);

CREATE TABLE rate_lease (
  org_id text not null references org (id), node text not null, serial integer not null, permits integer not null,
  expires_ms integer not null, primary key (org_id, node)) strict, without rowid;

CREATE TABLE rate_window (
  org_id text not null references org (id), second integer not null, used integer not null, last_ms integer not null,
  primary key (org_id, second)) strict, without rowid;

CREATE TABLE saved_view (
  org_id text not null references org (id), id text not null, name text not null, filter text not null,
  sort text not null, columns text not null, created_by text not null, created_at text not null,
  primary key (org_id, id)) strict;

CREATE TABLE send_again (
  org_id text not null, subscription_id text not null, after_id text not null, until_id text not null,
  per_minute integer, total integer not null, done integer not null, next_at text not null,
  primary key (org_id, subscription_id),
  foreign key (org_id, subscription_id) references subscription (org_id, id)) strict, without rowid;
CREATE INDEX send_again_next on send_again (next_at);

CREATE TABLE session (
  org_id text not null, id text not null, member_id text not null, hash text not null unique,
  user_agent text not null, created_at text not null, last_used_at text not null, primary key (org_id, id),
  foreign key (org_id, member_id) references member (org_id, id)) strict;
CREATE INDEX session_created on session (created_at);
CREATE INDEX session_last_used on session (last_used_at);
CREATE INDEX session_member on session (org_id, member_id);

CREATE TABLE sign_in_try (
  subject text primary key, times text not null, newest_at text not null) strict, without rowid;
CREATE INDEX sign_in_try_newest on sign_in_try (newest_at);

CREATE TABLE stage (
  org_id text not null references org (id), name text not null, position integer not null, color text not null,
  probability integer check (probability between 0 and 100), primary key (org_id, name)) strict, without rowid;

CREATE TABLE subscription (
  org_id text not null references org (id), id text not null, url text not null, events text not null, note text,
  secret blob not null, previous_secret blob, previous_secret_until text, paused_at text, created_at text not null,
  deleted_at text, primary key (org_id, id)) strict;
CREATE INDEX subscription_deleted on subscription (deleted_at) where deleted_at is not null;

CREATE TABLE subscription_lease (
  org_id text not null, subscription_id text not null, owner text, fence integer not null,
  primary key (org_id, subscription_id),
  foreign key (org_id, subscription_id) references subscription (org_id, id)) strict, without rowid;
CREATE INDEX subscription_lease_owner on subscription_lease (owner) where owner is not null;

CREATE TABLE task (
  org_id text not null references org (id), id text not null, title text not null, priority text, category text,
  due_at text, contact_id text, status text not null check (status in ('open', 'done', 'completed', 'cancelled')),
  completed_at text, last_event_at text not null, created_at text not null, updated_at text not null,
  primary key (org_id, id), foreign key (org_id, contact_id) references contact (org_id, id)) strict;
CREATE INDEX task_cancelled on task (org_id, updated_at, id) where status = 'cancelled';
CREATE INDEX task_completed on task (org_id, completed_at, id) where completed_at is not null;
CREATE INDEX task_contact on task (org_id, contact_id, status, due_at, id) where contact_id is not null;
CREATE INDEX task_due on task (org_id, due_at, id);
CREATE INDEX task_status_due on task (org_id, status, due_at, id);

CREATE TABLE task_count (
  org_id text not null references org (id), status text not null, shard integer not null, n integer not null,
  primary key (org_id, status, shard)) strict, without rowid;

CREATE TABLE uploaded_place (
  org_id text not null, upload_id text not null, source_id text not null, name text not null,
  search_text text not null, category text, category_text text, address text, phone text, website text, email text,
  latitude real not null, longitude real not null, primary key (org_id, upload_id, source_id),
  foreign key (org_id, upload_id) references place_upload (org_id, id)) strict;
CREATE INDEX uploaded_place_latitude on uploaded_place (org_id, upload_id, latitude, longitude);

CREATE TABLE usage_minute (
  org_id text not null references org (id), minute integer not null, token_id text not null,
  allowed integer not null, refused integer not null, primary key (org_id, minute, token_id)) strict, without rowid;
CREATE INDEX usage_minute_minute on usage_minute (minute);

CREATE TABLE value_rename (
  org_id text not null references org (id), field text not null check (field in ('deal_stage', 'label')),
  old_value text not null, new_value text not null, actor text not null,
  primary key (org_id, field, old_value)) strict, without rowid;
