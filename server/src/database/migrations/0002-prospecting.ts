/** Places that can be found on a map: the operator's sets of them, what an Overpass server answered, and uploads. */
import type { Migration } from '../migrate.ts'

const sqlite = [
  `create table place_set (
    number integer primary key autoincrement, id text not null, name text not null,
    state text not null check (state in ('loading', 'live', 'gone')), licence text, attribution text not null,
    attribution_url text, places integer not null, south real, west real, north real, east real,
    loaded_at text not null, touched_at text not null) strict`,
  `create unique index place_set_live_id on place_set (id) where state = 'live'`,
  `create unique index place_set_live_name on place_set (name) where state = 'live'`,
  `create table place (
    row_id integer primary key, set_number integer not null references place_set (number), source_id text not null,
    name text not null, search_text text not null, category text, category_text text, address text, phone text,
    website text, email text, latitude real not null, longitude real not null, unique (set_number, source_id)) strict`,
  // The set is a dimension of its own, so that no search goes through the places of another set. It has a length, since
  // the index keeps together what takes little room: where one side is 0, all room is 0, and a search takes 30 times as long.
  `create virtual table place_box using rtree (row_id, set_from, set_to, south, north, west, east)`,
  `create trigger place_insert after insert on place begin
    insert into place_box values (new.row_id, new.set_number, new.set_number + 1, new.latitude, new.latitude,
      new.longitude, new.longitude); end`,
  `create trigger place_delete after delete on place begin
    delete from place_box where row_id = old.row_id; end`,
  `create table overpass_place (
    source_id text primary key, place text not null, answered_at text not null) strict, without rowid`,
  `create index overpass_place_answered on overpass_place (answered_at)`,
  `create table overpass_answer (
    key text primary key, source_ids text not null, is_cut integer not null, answered_at text not null)
    strict, without rowid`,
  `create index overpass_answer_answered on overpass_answer (answered_at)`,
  `create table place_upload (
    org_id text not null references org (id), id text not null, session_id text not null, name text not null,
    is_whole integer not null default 0, licence text, attribution text not null, attribution_url text,
    places integer not null default 0, south real, west real, north real, east real, created_at text not null,
    primary key (org_id, id)) strict`,
  `create index place_upload_session on place_upload (org_id, session_id)`,
  `create table uploaded_place (
    org_id text not null, upload_id text not null, source_id text not null, name text not null,
    search_text text not null, category text, category_text text, address text, phone text, website text, email text,
    latitude real not null, longitude real not null, primary key (org_id, upload_id, source_id),
    foreign key (org_id, upload_id) references place_upload (org_id, id)) strict`,
  `create index uploaded_place_latitude on uploaded_place (org_id, upload_id, latitude, longitude)`,

  `create table contact_place (
    org_id text not null, contact_id text not null, origin text not null, source_id text not null,
    source text not null, licence text, attribution text not null, attribution_url text, category text, website text,
    website_key text, band integer not null, latitude real not null, longitude real not null, added_at text not null,
    primary key (org_id, contact_id), foreign key (org_id, contact_id) references contact (org_id, id)) strict`,
  `create unique index contact_place_origin on contact_place (org_id, origin, source_id)`,
  `create index contact_place_position on contact_place (org_id, band, longitude, latitude, contact_id)`,
  `create index contact_place_website on contact_place (org_id, website_key) where website_key is not null`,
  // The end of a telephone number: what other writings of the number end with too.
  `create index contact_phone on contact (org_id, substr(replace(replace(replace(replace(replace(replace(replace(
    phone, ' ', ''), '-', ''), '(', ''), ')', ''), '.', ''), '/', ''), char(160), ''), -7), id) where phone is not null`,
  // SQLite cannot change a check, but it drops one together with its column.
  `alter table import_job add column kind text not null default 'file'
    check (kind in ('file', 'upload', 'sample', 'places'))`,
  `update import_job set kind = source`,
  `alter table import_job drop column source`,
  `alter table import_job rename column kind to source`,
]

const postgres = [
  `create table place_set (
    number integer generated always as identity primary key, id uuid not null, name text not null,
    state text not null check (state in ('loading', 'live', 'gone')), licence text, attribution text not null,
    attribution_url text, places integer not null, south double precision, west double precision,
    north double precision, east double precision, loaded_at timestamptz(3) not null, touched_at timestamptz(3) not null)`,
  `create unique index place_set_live_id on place_set (id) where state = 'live'`,
  `create unique index place_set_live_name on place_set (name) where state = 'live'`,
  `create table place (
    set_number integer not null references place_set (number), source_id text collate "C" not null,
    name text not null, search_text text collate "C" not null, category text, category_text text, address text,
    phone text, website text, email text, latitude double precision not null, longitude double precision not null,
    primary key (set_number, source_id))`,
  // Every set has a strip of the plane of its own, so that no search goes through the places of another set.
  `create index place_position on place using gist (point(longitude + 1000 * set_number, latitude))`,
  `create table overpass_place (
    source_id text collate "C" primary key, place text not null, answered_at timestamptz(3) not null)`,
  `create index overpass_place_answered on overpass_place (answered_at)`,
  `create table overpass_answer (
    key text collate "C" primary key, source_ids text not null, is_cut smallint not null,
    answered_at timestamptz(3) not null)`,
  `create index overpass_answer_answered on overpass_answer (answered_at)`,
  `create table place_upload (
    org_id uuid not null references org (id), id uuid not null, session_id uuid not null, name text not null,
    is_whole smallint not null default 0, licence text, attribution text not null, attribution_url text,
    places integer not null default 0, south double precision, west double precision, north double precision,
    east double precision, created_at timestamptz(3) not null, primary key (org_id, id))`,
  `create index place_upload_session on place_upload (org_id, session_id)`,
  `create table uploaded_place (
    org_id uuid not null, upload_id uuid not null, source_id text collate "C" not null, name text not null,
    search_text text collate "C" not null, category text, category_text text, address text, phone text, website text,
    email text, latitude double precision not null, longitude double precision not null,
    primary key (org_id, upload_id, source_id),
    foreign key (org_id, upload_id) references place_upload (org_id, id))`,
  `create index uploaded_place_latitude on uploaded_place (org_id, upload_id, latitude, longitude)`,

  `create table contact_place (
    org_id uuid not null, contact_id uuid not null, origin text collate "C" not null,
    source_id text collate "C" not null, source text not null, licence text, attribution text not null,
    attribution_url text, category text, website text, website_key text collate "C", band integer not null,
    latitude double precision not null, longitude double precision not null, added_at timestamptz(3) not null,
    primary key (org_id, contact_id), foreign key (org_id, contact_id) references contact (org_id, id))`,
  `create unique index contact_place_origin on contact_place (org_id, origin, source_id)`,
  `create index contact_place_position on contact_place (org_id, band, longitude, latitude, contact_id)`,
  `create index contact_place_website on contact_place (org_id, website_key) where website_key is not null`,
  `create index contact_phone on contact (org_id, right(translate(phone, ' -()./' || chr(160), ''), 7), id)
    where phone is not null`,
  `alter table import_job drop constraint import_job_source_check`,
  `alter table import_job add constraint import_job_source_check
    check (source in ('file', 'upload', 'sample', 'places'))`,
]

export const prospecting: Migration = { version: 2, name: 'prospecting', sqlite, postgres }
