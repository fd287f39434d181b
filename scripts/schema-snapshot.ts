/**
 * `node scripts/schema-snapshot.ts`: writes to `docs/schema/` what the migrations make, as each engine's own catalogue
 * tells it. A test compares the two.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { openDatabase, type StoreOptions } from '../server/src/database/open.ts'
import { startPostgresServer } from '../test/support/postgres-server.ts'

type EngineName = StoreOptions['engine']

/**
 * Describes the schema of a database that the program has opened before: sorted, one line for each column, key, check
 * and index.
 */
export async function describeSchema(store: StoreOptions): Promise<string> {
  return store.engine === 'sqlite' ? describeSqlite(store.folder) : describePostgres(store.url)
}

/** @returns what is in the repository; '' where there is nothing */
export function keptSchema(engine: EngineName): string {
  try {
    return readFileSync(pathOf(engine), 'utf8')
  } catch {
    return ''
  }
}

function pathOf(engine: EngineName): string {
  return join(import.meta.dirname, `../docs/schema/${engine}.sql`)
}

const HEAD = '-- Made from the catalogue by: node scripts/schema-snapshot.ts\n'

/** SQLite keeps the statements as they were written; what it makes for itself has none, or begins with a table's name. */
function describeSqlite(folder: string): string {
  const db = new DatabaseSync(join(folder, 'kith.db'), { readOnly: true })
  try {
    const rows = db
      .prepare(
        `select o.tbl_name as owner, o.sql from sqlite_schema o where o.sql is not null
          and o.name not like 'sqlite\\_%' escape '\\'
          and not exists (select 1 from sqlite_schema v where v.sql like 'create virtual table%'
            and o.name like v.name || '\\_%' escape '\\' and o.type = 'table')
        order by o.tbl_name, o.type = 'table' desc, o.type, o.name`,
      )
      .all() as { owner: string; sql: string }[]
    const version = db.prepare('pragma user_version').get()!.user_version
    const groups = Object.values(Object.groupBy(rows, ({ owner }) => owner))
    const texts = groups.map((group) => group!.map(({ sql }) => `${sql.replaceAll(/\n +/g, '\n  ')};\n`).join(''))
    return [`${HEAD}-- Schema version ${version}\n`, ...texts].join('\n')
  } finally {
    db.close()
  }
}

const POSTGRES_COLUMNS = `
  select c.relname as owner, a.attname as name, format('  %I %s%s%s%s%s', a.attname,
    format_type(a.atttypid, a.atttypmod),
    case when a.attcollation <> t.typcollation then format(' collate %I', l.collname) end,
    case when a.attnotnull then ' not null' end,
    ' default ' || pg_get_expr(d.adbin, d.adrelid),
    case a.attidentity when 'a' then ' generated always as identity' end) as line
  from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum left join pg_collation l on l.oid = a.attcollation
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0
  and not a.attisdropped order by c.relname collate "C", a.attnum`

/** A column's own NOT NULL is a constraint as well in newer versions, and is told with the column. */
const POSTGRES_CONSTRAINTS = `
  select c.relname as owner, format('  constraint %I %s', o.conname, pg_get_constraintdef(o.oid)) as line
  from pg_constraint o join pg_class c on c.oid = o.conrelid
  where o.connamespace = current_schema()::regnamespace and o.contype <> 'n'
  order by c.relname collate "C", o.contype = 'p' desc, o.contype, o.conname collate "C"`

const POSTGRES_INDEXES = `
  select c.relname as owner, replace(pg_get_indexdef(i.indexrelid), format(' ON %I.', current_schema()), ' ON ') as line
  from pg_index i join pg_class c on c.oid = i.indrelid join pg_class n on n.oid = i.indexrelid
  where c.relnamespace = current_schema()::regnamespace
  and not exists (select 1 from pg_constraint o where o.conindid = i.indexrelid and o.contype in ('p', 'u'))
  order by c.relname collate "C", n.relname collate "C"`

const POSTGRES_EXTENSIONS = `select extname as name from pg_extension where extname <> 'plpgsql' order by 1`

interface Line {
  owner: string
  line: string
}

async function describePostgres(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const ask = async <Row>(text: string) => (await client.query(text)).rows as Row[]
    const columns = await ask<Line>(POSTGRES_COLUMNS)
    const constraints = await ask<Line>(POSTGRES_CONSTRAINTS)
    const indexes = await ask<Line>(POSTGRES_INDEXES)
    const [version] = await ask<{ version: number }>('select version from schema_version')
    const extensions = await ask<{ name: string }>(POSTGRES_EXTENSIONS)
    const tables = [...new Set(columns.map(({ owner }) => owner))].map((table) => {
      const linesOf = (lines: Line[]) => lines.filter(({ owner }) => owner === table).map(({ line }) => line)
      const inner = [...linesOf(columns), ...linesOf(constraints)].join(',\n')
      return `create table ${table} (\n${inner});\n${linesOf(indexes)
        .map((index) => `${index};\n`)
        .join('')}`
    })
    const extensionLines = extensions.map(({ name }) => `create extension ${name};\n`)
    return [`${HEAD}-- Schema version ${version!.version}\n`, ...extensionLines, ...tables].join('\n')
  } finally {
    await client.end()
  }
}

async function renew(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-schema-'))
  const server = await startPostgresServer()
  try {
    await renewOf({ engine: 'sqlite', folder })
    await renewOf({ engine: 'postgres', url: server.url, connectionsMax: 2 })
  } finally {
    await server.stop()
    await rm(folder, { recursive: true })
  }
}

async function renewOf(store: StoreOptions): Promise<void> {
  await (await openDatabase(store, 'command')).close()
  writeFileSync(pathOf(store.engine), await describeSchema(store))
  console.log(pathOf(store.engine))
}

if (import.meta.main) await renew()
