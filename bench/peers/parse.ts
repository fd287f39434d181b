import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FIELDS } from '../frame/fill.ts'
import { FILTER, TERMS } from '../frame/people.ts'
import { ASKED, changeAt, LISTED, newFieldsAt, PAGE } from './contacts.ts'
import { freePort } from './free-port.ts'
import { installed, nodeOf } from './install.ts'
import { jsonRequest, type Peer, type Served, serverOfProcess, startPeerProgram, tell, untilAnswered } from './peer.ts'
import { CREATED, fillPeerTable } from './tables.ts'

const KEYS = { appId: 'bench', masterKey: 'master key of the bench', restAPIKey: 'key of the bench' }
const CLASS = '/parse/classes/Contact'

export const parse: Peer = {
  name: 'Parse Server 9, PostgreSQL',
  differs:
    'It writes no event and has no rate limit; a POST answers the id alone and a PATCH the time, not the contact; whoever adds a contact folds its names; counts are exact, as asked for.',
  async start(context, contacts) {
    const folder = await installed({ name: 'parse', packages: { 'parse-server': '9.10.0' } })
    const server = await context.data.postgres()
    await server.create(server.urlOf('parse'))
    context.defer(() => server.drop(server.urlOf('parse')))
    // It takes its server's address for a name of a host, so it is reached by TCP.
    const databaseURI = `postgres://${server.user}:${server.password}@127.0.0.1:${server.port}/parse`
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const settings = { ...KEYS, databaseURI, port, host: '127.0.0.1', serverURL: `${url}/parse`, mountPath: '/parse' }
    const configuration = join(context.data.folder(), 'parse.json')
    writeFileSync(configuration, JSON.stringify({ ...settings, logLevel: 'error', logsFolder: null }))
    const program = join(folder, 'node_modules/parse-server/bin/parse-server')
    const started = startPeerProgram(context, nodeOf(folder), [program, configuration])
    await untilAnswered(`${url}/parse/health`, started)
    await makeClass(url, server.urlOf('parse'), contacts)
    return serve(url, started.pid, contacts, server.processorUs)
  },
}

async function makeClass(url: string, databaseUrl: string, contacts: number): Promise<void> {
  const fields = Object.entries(FIELDS).map(([name, type]) => [name, { type: type === 'text' ? 'String' : 'Number' }])
  const headers = { 'x-parse-application-id': KEYS.appId, 'x-parse-master-key': KEYS.masterKey }
  const description = { className: 'Contact', fields: Object.fromEntries(fields) }
  await tell(`${url}/parse/schemas/Contact`, 'POST', description, headers)
  const objectId = { type: 'text', value: idOf }
  await fillPeerTable(databaseUrl, {
    table: '"Contact"',
    extra: { objectId, createdAt: CREATED, updatedAt: CREATED },
    contacts,
    afterwards: [
      'create extension if not exists pg_trgm',
      'create index contact_filter on "Contact" (deal_stage, label, "createdAt")',
      'create index contact_search on "Contact" using gin (search_text gin_trgm_ops)',
    ],
  })
}

function serve(url: string, pid: number, contacts: number, databaseUs: () => number): Served {
  const headers = { 'x-parse-application-id': KEYS.appId, 'x-parse-rest-api-key': KEYS.restAPIKey }
  const ids = Array.from({ length: ASKED }, (_, i) => idOf(Math.floor((i / ASKED) * contacts)))
  const list = (where: object) => {
    const keys = LISTED.filter((name) => name !== 'id').join()
    const query = { where: JSON.stringify(where), limit: String(PAGE), order: '-createdAt', keys, count: '1' }
    return [jsonRequest('GET', `${CLASS}?${new URLSearchParams(query)}`, headers)]
  }
  return {
    server: serverOfProcess(url, pid, databaseUs),
    requests: {
      get: ids.map((id) => jsonRequest('GET', `${CLASS}/${id}`, headers)),
      list: list({ deal_stage: FILTER.stage, label: FILTER.label }),
      search: list({ search_text: { $regex: TERMS.usual } }),
      // Its PATCH is a PUT that changes what is sent.
      patch: ids.map((id, i) => jsonRequest('PUT', `${CLASS}/${id}`, headers, changeAt(i))),
      create: ids.map((_, i) => jsonRequest('POST', CLASS, headers, newFieldsAt(i))),
    },
  }
}

/** Ten characters, as it makes them. */
function idOf(at: number): string {
  return `c${String(at).padStart(9, '0')}`
}
