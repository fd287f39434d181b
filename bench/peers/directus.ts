import { join } from 'node:path'
import { FIELDS } from '../frame/fill.ts'
import type { Context } from '../frame/outcome.ts'
import { FILTER, TERMS } from '../frame/people.ts'
import { ASKED, changeAt, LISTED, newFieldsAt, PAGE } from './contacts.ts'
import { freePort } from './free-port.ts'
import { installed, nodeOf } from './install.ts'
import { jsonRequest, type Peer, type Served, serverOfProcess, startPeerProgram, tell, untilAnswered } from './peer.ts'
import { fillPeerTable, ID } from './tables.ts'

const TOKEN = 'token-of-the-bench-0123456789'
const PATH = '/items/contacts'

export const directus: Peer = {
  name: 'Directus 12, PostgreSQL',
  differs:
    'It keeps a revision and an activity of each change, as Kith keeps an event, and sends none; its rate limit is off, as it ships; whoever adds a contact folds its names; counts are exact, as asked for.',
  async start(context, contacts) {
    const folder = await installed({
      name: 'directus',
      packages: { directus: '12.4.0', pg: '8.23.1' },
      scripts: ['isolated-vm', 'argon2'],
    })
    const server = await context.data.postgres()
    await server.create(server.urlOf('directus'))
    context.defer(() => server.drop(server.urlOf('directus')))
    const port = await freePort()
    const cwd = context.data.folder()
    const env = {
      PATH: `${join(nodeOf(folder), '..')}:${process.env.PATH}`,
      SECRET: 'a secret of the bench, at least 32 characters long',
      DB_CLIENT: 'pg',
      DB_HOST: server.socketFolder,
      DB_PORT: String(server.port),
      DB_DATABASE: 'directus',
      DB_USER: server.user,
      DB_PASSWORD: server.password,
      ADMIN_EMAIL: 'bench@example.com',
      ADMIN_PASSWORD: 'quiet harbour lantern',
      ADMIN_TOKEN: TOKEN,
      HOST: '127.0.0.1',
      PORT: String(port),
      LOG_LEVEL: 'warn',
      TELEMETRY: 'false',
    }
    await runToEnd(context, nodeOf(folder), [join(folder, 'node_modules/directus/cli.js'), 'bootstrap'], { env, cwd })
    const started = startPeerProgram(context, nodeOf(folder), [join(folder, 'node_modules/directus/cli.js'), 'start'], {
      env,
      cwd,
    })
    const url = `http://127.0.0.1:${port}`
    await untilAnswered(`${url}/server/ping`, started)
    await makeCollection(url, server.urlOf('directus'), contacts)
    return serve(url, started.pid, contacts, server.processorUs)
  },
}

async function runToEnd(
  context: Context,
  command: string,
  args: string[],
  options: { env: Record<string, string>; cwd: string },
): Promise<void> {
  const started = startPeerProgram(context, command, args, options)
  const code = await started.ended
  if (code !== 0) throw new Error(`${args.at(-1)} ended with ${code}: see ${started.log}.`)
}

const HEADERS = { authorization: `Bearer ${TOKEN}` }

async function makeCollection(url: string, databaseUrl: string, contacts: number): Promise<void> {
  const id = {
    field: 'id',
    type: 'uuid',
    schema: { is_primary_key: true, has_auto_increment: false },
    meta: { special: ['uuid'] },
  }
  const fields = Object.entries(FIELDS).map(([field, type]) => ({ field, type: type === 'text' ? 'text' : 'float' }))
  await tell(
    `${url}/collections`,
    'POST',
    { collection: 'contacts', schema: {}, meta: {}, fields: [id, ...fields] },
    HEADERS,
  )
  await fillPeerTable(databaseUrl, {
    table: 'contacts',
    extra: { id: ID },
    contacts,
    afterwards: [
      'create extension if not exists pg_trgm',
      'create index contacts_filter on contacts (deal_stage, label, id)',
      'create index contacts_search on contacts using gin (search_text gin_trgm_ops)',
    ],
  })
}

function serve(url: string, pid: number, contacts: number, databaseUs: () => number): Served {
  const ids = Array.from({ length: ASKED }, (_, i) => ID.value(Math.floor((i / ASKED) * contacts)))
  const list = (filter: object) => {
    const query = {
      filter: JSON.stringify(filter),
      limit: String(PAGE),
      sort: '-id',
      fields: LISTED.join(),
      meta: 'filter_count',
    }
    return [jsonRequest('GET', `${PATH}?${new URLSearchParams(query)}`, HEADERS)]
  }
  return {
    server: serverOfProcess(url, pid, databaseUs),
    requests: {
      get: ids.map((id) => jsonRequest('GET', `${PATH}/${id}`, HEADERS)),
      list: list({ deal_stage: { _eq: FILTER.stage }, label: { _eq: FILTER.label } }),
      search: list({ search_text: { _contains: TERMS.usual } }),
      patch: ids.map((id, i) => jsonRequest('PATCH', `${PATH}/${id}`, HEADERS, changeAt(i))),
      create: ids.map((_, i) => jsonRequest('POST', PATH, HEADERS, newFieldsAt(i))),
    },
  }
}
