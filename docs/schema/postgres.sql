-- Made from the catalogue by: node scripts/schema-snapshot.ts
-- Schema version 1

create extension pg_trgm;

create table activity (
  org_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  kind text not null,
  body text not null,
  occurred_at timestamp(3) with time zone not null,
  actor text not null,
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
  constraint contact_pkey PRIMARY KEY (org_id, id),
  constraint contact_check CHECK (((full_name IS NOT NULL) OR (company IS NOT NULL))),
  constraint contact_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id));
CREATE INDEX contact_deal ON contact USING btree (org_id, deal_value DESC NULLS LAST, id) WHERE (deal_stage IS NOT NULL);
CREATE INDEX contact_label ON contact USING btree (org_id, label, id);
CREATE INDEX contact_search ON contact USING gin (search_text gin_trgm_ops);
CREATE INDEX contact_stage ON contact USING btree (org_id, deal_stage, id);
CREATE INDEX contact_stage_label ON contact USING btree (org_id, deal_stage, label, id);

create table contact_count (
  org_id uuid not null,
  stage text not null,
  label text not null,
  shard smallint not null,
  n bigint not null,
  constraint contact_count_pkey PRIMARY KEY (org_id, stage, label, shard),
  constraint contact_count_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id));

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
CREATE INDEX delivery_contact ON delivery USING btree (org_id, contact_id, seq) WHERE (contact_id IS NOT NULL);
CREATE INDEX delivery_event ON delivery USING btree (org_id, event_id);
CREATE INDEX delivery_finished ON delivery USING btree (finished_at) WHERE (state = ANY (ARRAY['delivered'::text, 'failed'::text]));
CREATE INDEX delivery_log ON delivery USING btree (org_id, subscription_id, seq);
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

create table import_job (
  org_id uuid not null,
  id uuid not null,
  file_name text not null,
  file_hash text not null,
  mapping text not null,
  state text not null,
  rows_read integer not null,
  rows_added integer not null,
  rows_rejected integer not null,
  started_at timestamp(3) with time zone not null,
  finished_at timestamp(3) with time zone,
  constraint import_job_pkey PRIMARY KEY (org_id, id),
  constraint import_job_state_check CHECK ((state = ANY (ARRAY['running'::text, 'done'::text]))),
  constraint import_job_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id));
CREATE INDEX import_job_file ON import_job USING btree (org_id, file_hash);
CREATE UNIQUE INDEX import_job_running ON import_job USING btree (org_id, file_hash) WHERE (state = 'running'::text);

create table import_reject (
  org_id uuid not null,
  import_id uuid not null,
  "row" integer not null,
  cells text not null,
  reason text not null,
  constraint import_reject_pkey PRIMARY KEY (org_id, import_id, "row"),
  constraint import_reject_org_id_import_id_fkey FOREIGN KEY (org_id, import_id) REFERENCES import_job(org_id, id));

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

create table org (
  number bigint not null generated always as identity,
  id uuid not null,
  name text not null,
  plan text not null,
  hourly_limit bigint not null,
  strict_stages smallint not null default 0,
  created_at timestamp(3) with time zone not null,
  constraint org_pkey PRIMARY KEY (id),
  constraint org_hourly_limit_check CHECK ((hourly_limit >= 0)),
  constraint org_plan_check CHECK ((plan = ANY (ARRAY['pro'::text, 'enterprise'::text]))),
  constraint org_number_key UNIQUE (number));

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

create table schema_version (
  version integer not null);

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
CREATE INDEX task_contact ON task USING btree (org_id, contact_id) WHERE (contact_id IS NOT NULL);
CREATE INDEX task_due ON task USING btree (org_id, due_at, id);
CREATE INDEX task_status_due ON task USING btree (org_id, status, due_at, id);

create table task_count (
  org_id uuid not null,
  status text not null,
  shard smallint not null,
  n bigint not null,
  constraint task_count_pkey PRIMARY KEY (org_id, status, shard),
  constraint task_count_org_id_fkey FOREIGN KEY (org_id) REFERENCES org(id));
