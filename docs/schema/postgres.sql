-- Made from the catalogue by: node scripts/schema-snapshot.ts
-- Schema version 4

create extension pg_trgm;

create table activity (
  org_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  kind text not null,
  body text not null,
  occurred_at timestamp(3) with time zone not null,
  actor text not null,
  edited_at timestamp(3) with time zone,
  constraint activity_pkey PRIMARY KEY (org_id, contact_id, id),
  constraint activity_org_id_contact_id_fkey FOREIGN KEY (org_id, contact_id) REFERENCES contact(org_id, id));

create table api_token (
  org_id uuid not null,
  id uuid not null,
  name text not null,
  prefix text not null,
  hash text not null,
  scopes text not null,
  created_at timestamp(3) with time zone not null,
  created_by text not null,
  last_used_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  revoked_by text,
  constraint api_token_pkey PRIMARY KEY (org_id, id),
  constraint api_token_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint api_token_hash_key UNIQUE (hash));

create table contact (
  org_id uuid not null,
  id uuid not null,
  full_name text,
  company text,
  email text,
  phone text,
  location text,
  deal_stage text,
  deal_value double precision,
  label text,
  tags text not null,
  search_text text collate "C" not null,
  last_event_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  updated_by text,
  constraint contact_pkey PRIMARY KEY (org_id, id),
  constraint contact_check CHECK (((full_name IS NOT NULL) OR (company IS NOT NULL))),
  constraint contact_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id));
CREATE INDEX contact_board ON contact USING btree (org_id, deal_stage, deal_value DESC NULLS LAST, id, label) WHERE (deal_stage IS NOT NULL);
CREATE INDEX contact_company ON contact USING btree (org_id, "left"(split_part(search_text, chr(31), 2), 100), id);
CREATE INDEX contact_deal ON contact USING btree (org_id, deal_value DESC NULLS LAST, id) WHERE (deal_stage IS NOT NULL);
CREATE INDEX contact_email ON contact USING btree (org_id, lower((email COLLATE "C")), id) WHERE (email IS NOT NULL);
CREATE INDEX contact_label ON contact USING btree (org_id, label, id) WHERE (label IS NOT NULL);
CREATE INDEX contact_name ON contact USING btree (org_id, "left"(search_text, 100), id);
CREATE INDEX contact_phone ON contact USING btree (org_id, "right"(translate(phone, (' -()./'::text || chr(160)), ''::text), 7), id) WHERE (phone IS NOT NULL);
CREATE INDEX contact_search ON contact USING gin (search_text gin_trgm_ops) WITH (gin_pending_list_limit='256');
CREATE INDEX contact_stage ON contact USING btree (org_id, deal_stage, id) WHERE (deal_stage IS NOT NULL);
CREATE INDEX contact_stage_label ON contact USING btree (org_id, deal_stage, label, id) WHERE ((deal_stage IS NOT NULL) AND (label IS NOT NULL));
CREATE INDEX contact_updated ON contact USING btree (org_id, updated_at, id);
CREATE INDEX contact_value ON contact USING btree (org_id, deal_value, id);

create table contact_count (
  org_id uuid not null,
  stage text not null,
  label text not null,
  shard smallint not null,
  n bigint not null,
  constraint contact_count_pkey PRIMARY KEY (org_id, stage, label, shard),
  constraint contact_count_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id));

create table contact_place (
  org_id uuid not null,
  contact_id uuid not null,
  origin text collate "C" not null,
  source_id text collate "C" not null,
  source text not null,
  licence text,
  attribution text not null,
  attribution_url text,
  category text,
  website text,
  website_key text collate "C",
  band integer not null,
  latitude double precision not null,
  longitude double precision not null,
  added_at timestamp(3) with time zone not null,
  constraint contact_place_pkey PRIMARY KEY (org_id, contact_id),
  constraint contact_place_org_id_contact_id_fkey FOREIGN KEY (org_id, contact_id) REFERENCES contact(org_id, id));
CREATE UNIQUE INDEX contact_place_origin ON contact_place USING btree (org_id, origin, source_id);
CREATE INDEX contact_place_position ON contact_place USING btree (org_id, band, longitude, latitude, contact_id);
CREATE INDEX contact_place_website ON contact_place USING btree (org_id, website_key) WHERE (website_key IS NOT NULL);

create table delivery (
  seq bigint not null generated always as identity,
  org_id uuid not null,
  id uuid not null,
  subscription_id uuid not null,
  event_id uuid not null,
  event text not null,
  contact_id uuid,
  queue_key uuid not null,
  lane smallint not null,
  state text not null,
  attempts integer not null default 0,
  response_status integer,
  error text,
  duration_ms integer,
  created_at timestamp(3) with time zone not null,
  finished_at timestamp(3) with time zone,
  contact_deleted smallint not null default 0,
  constraint delivery_pkey PRIMARY KEY (org_id, id),
  constraint delivery_state_check CHECK ((state = ANY (ARRAY['ready'::text, 'queued'::text, 'delivered'::text, 'failed'::text]))),
  constraint delivery_org_id_event_id_fkey FOREIGN KEY (org_id, event_id) REFERENCES event(org_id, id),
  constraint delivery_org_id_subscription_id_fkey FOREIGN KEY (org_id, subscription_id) REFERENCES subscription(org_id, id));
CREATE INDEX delivery_contact ON delivery USING btree (org_id, contact_id, id) WHERE (contact_id IS NOT NULL);
CREATE INDEX delivery_event ON delivery USING btree (org_id, event_id);
CREATE INDEX delivery_finished ON delivery USING btree (finished_at) WHERE (state = ANY (ARRAY['delivered'::text, 'failed'::text]));
CREATE INDEX delivery_log ON delivery USING btree (org_id, subscription_id, state, event, id);
CREATE INDEX delivery_queue ON delivery USING btree (org_id, subscription_id, queue_key, seq) WHERE (state = ANY (ARRAY['ready'::text, 'queued'::text]));
CREATE INDEX delivery_ready ON delivery USING btree (org_id, subscription_id, lane, seq, id) WHERE (state = 'ready'::text);

create table delivery_attempt (
  org_id uuid not null,
  delivery_id uuid not null,
  number integer not null,
  started_at timestamp(3) with time zone not null,
  duration_ms integer not null,
  delivered smallint not null,
  response_status integer,
  error text,
  url text not null,
  request_headers text not null,
  response_headers text,
  response_body text,
  timings text not null,
  constraint delivery_attempt_pkey PRIMARY KEY (org_id, delivery_id, number),
  constraint delivery_attempt_org_id_delivery_id_fkey FOREIGN KEY (org_id, delivery_id) REFERENCES delivery(org_id, id));

create table delivery_hour (
  org_id uuid not null,
  subscription_id uuid not null,
  hour bigint not null,
  delivered bigint not null,
  failed bigint not null,
  constraint delivery_hour_pkey PRIMARY KEY (org_id, subscription_id, hour),
  constraint delivery_hour_org_id_subscription_id_fkey FOREIGN KEY (org_id, subscription_id) REFERENCES subscription(org_id, id));
CREATE INDEX delivery_hour_hour ON delivery_hour USING btree (hour);

create table dispatcher_node (
  id text not null,
  beats bigint not null,
  constraint dispatcher_node_pkey PRIMARY KEY (id));

create table event (
  seq bigint not null generated always as identity,
  org_id uuid not null,
  id uuid not null,
  name text not null,
  contact_id uuid,
  task_id uuid,
  ts timestamp(3) with time zone not null,
  body bytea not null,
  constraint event_pkey PRIMARY KEY (org_id, id),
  constraint event_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id));
CREATE INDEX event_contact ON event USING btree (org_id, contact_id) WHERE (contact_id IS NOT NULL);
CREATE INDEX event_seq ON event USING btree (seq);
CREATE INDEX event_ts ON event USING btree (ts);

create table idempotency (
  org_id uuid not null,
  token_id uuid not null,
  key text not null,
  request_hash text not null,
  contact_id uuid,
  location text,
  answer bytea,
  created_at timestamp(3) with time zone not null,
  constraint idempotency_pkey PRIMARY KEY (org_id, token_id, key),
  constraint idempotency_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id));
CREATE INDEX idempotency_contact ON idempotency USING btree (org_id, contact_id) WHERE (contact_id IS NOT NULL);
CREATE INDEX idempotency_created ON idempotency USING btree (created_at);

create table import_change (
  org_id uuid not null,
  import_id uuid not null,
  contact_id uuid not null,
  kind text not null,
  at timestamp(3) with time zone not null,
  before text,
  after text,
  constraint import_change_pkey PRIMARY KEY (org_id, import_id, contact_id),
  constraint import_change_kind_check CHECK ((kind = ANY (ARRAY['added'::text, 'updated'::text]))),
  constraint import_change_org_id_contact_id_fkey FOREIGN KEY (org_id, contact_id) REFERENCES contact(org_id, id),
  constraint import_change_org_id_import_id_fkey FOREIGN KEY (org_id, import_id) REFERENCES import_job(org_id, id));
CREATE INDEX import_change_contact ON import_change USING btree (org_id, contact_id);

create table import_file (
  org_id uuid not null,
  import_id uuid not null,
  part integer not null,
  bytes bytea not null,
  constraint import_file_pkey PRIMARY KEY (org_id, import_id, part),
  constraint import_file_org_id_import_id_fkey FOREIGN KEY (org_id, import_id) REFERENCES import_job(org_id, id));

create table import_fix (
  org_id uuid not null,
  import_id uuid not null,
  "row" integer not null,
  cells text not null,
  constraint import_fix_pkey PRIMARY KEY (org_id, import_id, "row"),
  constraint import_fix_org_id_import_id_fkey FOREIGN KEY (org_id, import_id) REFERENCES import_job(org_id, id));

create table import_job (
  org_id uuid not null,
  id uuid not null,
  source text not null default 'file'::text,
  file_name text not null,
  file_hash text not null,
  file_bytes bigint not null default 0,
  mapping text not null,
  state text not null,
  rows_read integer not null,
  rows_added integer not null,
  rows_updated integer not null default 0,
  rows_skipped integer not null default 0,
  rows_rejected integer not null,
  bytes_read bigint not null default 0,
  checked text,
  undone text,
  fault text,
  created_by text not null default 'command'::text,
  owner text,
  beats bigint not null default 0,
  has_file smallint not null default 0,
  has_records smallint not null default 1,
  started_at timestamp(3) with time zone not null,
  touched_at timestamp(3) with time zone not null,
  finished_at timestamp(3) with time zone,
  constraint import_job_pkey PRIMARY KEY (org_id, id),
  constraint import_job_source_check CHECK ((source = ANY (ARRAY['file'::text, 'upload'::text, 'sample'::text, 'places'::text]))),
  constraint import_job_state_check CHECK ((state = ANY (ARRAY['uploading'::text, 'uploaded'::text, 'checking'::text, 'checked'::text, 'running'::text, 'stopped'::text, 'done'::text, 'failed'::text, 'undoing'::text, 'undone'::text, 'removed'::text]))),
  constraint import_job_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id));
CREATE INDEX import_job_file ON import_job USING btree (org_id, file_hash);
CREATE UNIQUE INDEX import_job_running ON import_job USING btree (org_id, file_hash) WHERE (state = 'running'::text);
CREATE INDEX import_job_with_file ON import_job USING btree (touched_at) WHERE (has_file = 1);
CREATE INDEX import_job_with_records ON import_job USING btree (finished_at) WHERE (has_records = 1);
CREATE INDEX import_job_work ON import_job USING btree (state) WHERE (state = ANY (ARRAY['checking'::text, 'running'::text, 'undoing'::text]));

create table import_reject (
  org_id uuid not null,
  import_id uuid not null,
  "row" integer not null,
  cells text not null,
  cell integer,
  reason text not null,
  constraint import_reject_pkey PRIMARY KEY (org_id, import_id, "row"),
  constraint import_reject_org_id_import_id_fkey FOREIGN KEY (org_id, import_id) REFERENCES import_job(org_id, id));

create table import_task (
  org_id uuid not null,
  import_id uuid not null,
  task_id uuid not null,
  at timestamp(3) with time zone not null,
  constraint import_task_pkey PRIMARY KEY (org_id, import_id, task_id),
  constraint import_task_org_id_import_id_fkey FOREIGN KEY (org_id, import_id) REFERENCES import_job(org_id, id),
  constraint import_task_org_id_task_id_fkey FOREIGN KEY (org_id, task_id) REFERENCES task(org_id, id));
CREATE INDEX import_task_task ON import_task USING btree (org_id, task_id);

create table label (
  org_id uuid not null,
  name text not null,
  "position" integer not null,
  color text not null,
  constraint label_pkey PRIMARY KEY (org_id, name),
  constraint label_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id));

create table member (
  org_id uuid not null,
  id uuid not null,
  email text not null,
  name text not null,
  role text not null,
  password_hash text not null,
  created_at timestamp(3) with time zone not null,
  last_seen_at timestamp(3) with time zone,
  constraint member_pkey PRIMARY KEY (org_id, id),
  constraint member_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'member'::text]))),
  constraint member_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint member_email_key UNIQUE (email));

create table meta (
  key text not null,
  value text not null,
  constraint meta_pkey PRIMARY KEY (key));

create table one_time_link (
  org_id uuid not null,
  id uuid not null,
  kind text not null,
  hash text not null,
  email text not null,
  role text not null,
  member_id uuid,
  created_by text not null,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  constraint one_time_link_pkey PRIMARY KEY (org_id, id),
  constraint one_time_link_kind_check CHECK ((kind = ANY (ARRAY['invitation'::text, 'reset'::text]))),
  constraint one_time_link_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'member'::text]))),
  constraint one_time_link_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id),
  constraint one_time_link_org_id_member_id_fkey FOREIGN KEY (org_id, member_id) REFERENCES member(org_id, id),
  constraint one_time_link_hash_key UNIQUE (hash));
CREATE INDEX one_time_link_expires ON one_time_link USING btree (expires_at);
CREATE INDEX one_time_link_member ON one_time_link USING btree (org_id, member_id) WHERE (member_id IS NOT NULL);

create table org (
  number bigint not null generated always as identity,
  id uuid not null,
  name text not null,
  plan text not null,
  hourly_limit bigint not null,
  strict_stages smallint not null default 0,
  time_zone text not null default 'UTC'::text,
  currency text not null default 'EUR'::text,
  created_at timestamp(3) with time zone not null,
  constraint org_pkey PRIMARY KEY (id),
  constraint org_hourly_limit_check CHECK ((hourly_limit >= 0)),
  constraint org_plan_check CHECK ((plan = ANY (ARRAY['pro'::text, 'enterprise'::text]))),
  constraint org_number_key UNIQUE (number));

create table overpass_answer (
  key text collate "C" not null,
  source_ids text not null,
  is_cut smallint not null,
  answered_at timestamp(3) with time zone not null,
  constraint overpass_answer_pkey PRIMARY KEY (key));
CREATE INDEX overpass_answer_answered ON overpass_answer USING btree (answered_at);

create table overpass_place (
  source_id text collate "C" not null,
  place text not null,
  answered_at timestamp(3) with time zone not null,
  constraint overpass_place_pkey PRIMARY KEY (source_id));
CREATE INDEX overpass_place_answered ON overpass_place USING btree (answered_at);

create table place (
  set_number integer not null,
  source_id text collate "C" not null,
  name text not null,
  search_text text collate "C" not null,
  category text,
  category_text text,
  address text,
  phone text,
  website text,
  email text,
  latitude double precision not null,
  longitude double precision not null,
  constraint place_pkey PRIMARY KEY (set_number, source_id),
  constraint place_set_number_fkey FOREIGN KEY (set_number) REFERENCES place_set(number));
CREATE INDEX place_position ON place USING gist (point((longitude + ((1000 * set_number))::double precision), latitude));

create table place_set (
  number integer not null generated always as identity,
  id uuid not null,
  name text not null,
  state text not null,
  licence text,
  attribution text not null,
  attribution_url text,
  places integer not null,
  south double precision,
  west double precision,
  north double precision,
  east double precision,
  loaded_at timestamp(3) with time zone not null,
  touched_at timestamp(3) with time zone not null,
  constraint place_set_pkey PRIMARY KEY (number),
  constraint place_set_state_check CHECK ((state = ANY (ARRAY['loading'::text, 'live'::text, 'gone'::text]))));
CREATE UNIQUE INDEX place_set_live_id ON place_set USING btree (id) WHERE (state = 'live'::text);
CREATE UNIQUE INDEX place_set_live_name ON place_set USING btree (name) WHERE (state = 'live'::text);

create table place_upload (
  org_id uuid not null,
  id uuid not null,
  session_id uuid not null,
  name text not null,
  is_whole smallint not null default 0,
  licence text,
  attribution text not null,
  attribution_url text,
  places integer not null default 0,
  south double precision,
  west double precision,
  north double precision,
  east double precision,
  created_at timestamp(3) with time zone not null,
  constraint place_upload_pkey PRIMARY KEY (org_id, id),
  constraint place_upload_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id));
CREATE INDEX place_upload_session ON place_upload USING btree (org_id, session_id);

create table rate_lease (
  org_id uuid not null,
  node text not null,
  serial bigint not null,
  permits bigint not null,
  expires_ms bigint not null,
  constraint rate_lease_pkey PRIMARY KEY (org_id, node),
  constraint rate_lease_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id));

create table rate_window (
  org_id uuid not null,
  second bigint not null,
  used bigint not null,
  last_ms bigint not null,
  constraint rate_window_pkey PRIMARY KEY (org_id, second),
  constraint rate_window_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id));

create table saved_view (
  org_id uuid not null,
  id uuid not null,
  name text not null,
  filter text not null,
  sort text not null,
  columns text not null,
  created_by text not null,
  created_at timestamp(3) with time zone not null,
  constraint saved_view_pkey PRIMARY KEY (org_id, id),
  constraint saved_view_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id));

create table schema_version (
  version integer not null);

create table send_again (
  org_id uuid not null,
  subscription_id uuid not null,
  after_id uuid not null,
  until_id uuid not null,
  per_minute integer,
  total integer not null,
  done integer not null,
  next_at timestamp(3) with time zone not null,
  constraint send_again_pkey PRIMARY KEY (org_id, subscription_id),
  constraint send_again_org_id_subscription_id_fkey FOREIGN KEY (org_id, subscription_id) REFERENCES subscription(org_id, id));
CREATE INDEX send_again_next ON send_again USING btree (next_at);

create table session (
  org_id uuid not null,
  id uuid not null,
  member_id uuid not null,
  hash text not null,
  user_agent text not null,
  created_at timestamp(3) with time zone not null,
  last_used_at timestamp(3) with time zone not null,
  constraint session_pkey PRIMARY KEY (org_id, id),
  constraint session_org_id_member_id_fkey FOREIGN KEY (org_id, member_id) REFERENCES member(org_id, id),
  constraint session_hash_key UNIQUE (hash));
CREATE INDEX session_created ON session USING btree (created_at);
CREATE INDEX session_last_used ON session USING btree (last_used_at);
CREATE INDEX session_member ON session USING btree (org_id, member_id);

create table sign_in_try (
  subject text not null,
  times text not null,
  newest_at timestamp(3) with time zone not null,
  constraint sign_in_try_pkey PRIMARY KEY (subject));
CREATE INDEX sign_in_try_newest ON sign_in_try USING btree (newest_at);

create table stage (
  org_id uuid not null,
  name text not null,
  "position" integer not null,
  color text not null,
  probability smallint,
  constraint stage_pkey PRIMARY KEY (org_id, name),
  constraint stage_probability_check CHECK (((probability >= 0) AND (probability <= 100))),
  constraint stage_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id));

create table subscription (
  org_id uuid not null,
  id uuid not null,
  url text not null,
  events text not null,
  note text,
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamp(3) with time zone,
  paused_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  deleted_at timestamp(3) with time zone,
  constraint subscription_pkey PRIMARY KEY (org_id, id),
  constraint subscription_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id));
CREATE INDEX subscription_deleted ON subscription USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

create table subscription_lease (
  org_id uuid not null,
  subscription_id uuid not null,
  owner text,
  fence bigint not null,
  constraint subscription_lease_pkey PRIMARY KEY (org_id, subscription_id),
  constraint subscription_lease_org_id_subscription_id_fkey FOREIGN KEY (org_id, subscription_id) REFERENCES subscription(org_id, id));
CREATE INDEX subscription_lease_owner ON subscription_lease USING btree (owner) WHERE (owner IS NOT NULL);

create table task (
  org_id uuid not null,
  id uuid not null,
  title text not null,
  priority text,
  category text,
  due_at timestamp(3) with time zone,
  contact_id uuid,
  status text not null,
  completed_at timestamp(3) with time zone,
  last_event_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint task_pkey PRIMARY KEY (org_id, id),
  constraint task_status_check CHECK ((status = ANY (ARRAY['open'::text, 'done'::text, 'completed'::text, 'cancelled'::text]))),
  constraint task_org_id_contact_id_fkey FOREIGN KEY (org_id, contact_id) REFERENCES contact(org_id, id),
  constraint task_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id));
CREATE INDEX task_cancelled ON task USING btree (org_id, updated_at, id) WHERE (status = 'cancelled'::text);
CREATE INDEX task_completed ON task USING btree (org_id, completed_at, id) WHERE (completed_at IS NOT NULL);
CREATE INDEX task_contact ON task USING btree (org_id, contact_id, status, due_at, id) WHERE (contact_id IS NOT NULL);
CREATE INDEX task_due ON task USING btree (org_id, due_at, id);
CREATE INDEX task_status_due ON task USING btree (org_id, status, due_at, id);

create table task_count (
  org_id uuid not null,
  status text not null,
  shard smallint not null,
  n bigint not null,
  constraint task_count_pkey PRIMARY KEY (org_id, status, shard),
  constraint task_count_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id));

create table uploaded_place (
  org_id uuid not null,
  upload_id uuid not null,
  source_id text collate "C" not null,
  name text not null,
  search_text text collate "C" not null,
  category text,
  category_text text,
  address text,
  phone text,
  website text,
  email text,
  latitude double precision not null,
  longitude double precision not null,
  constraint uploaded_place_pkey PRIMARY KEY (org_id, upload_id, source_id),
  constraint uploaded_place_org_id_upload_id_fkey FOREIGN KEY (org_id, upload_id) REFERENCES place_upload(org_id, id));
CREATE INDEX uploaded_place_latitude ON uploaded_place USING btree (org_id, upload_id, latitude, longitude);

create table usage_minute (
  org_id uuid not null,
  minute bigint not null,
  token_id uuid not null,
  allowed bigint not null,
  refused bigint not null,
  constraint usage_minute_pkey PRIMARY KEY (org_id, minute, token_id),
  constraint usage_minute_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id));
CREATE INDEX usage_minute_minute ON usage_minute USING btree (minute);

create table value_rename (
  org_id uuid not null,
  field text not null,
  old_value text not null,
  new_value text not null,
  actor text not null,
  constraint value_rename_pkey PRIMARY KEY (org_id, field, old_value),
  constraint value_rename_field_check CHECK ((field = ANY (ARRAY['deal_stage'::text, 'label'::text]))),
  constraint value_rename_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id));
