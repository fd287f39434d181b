/** The loads under which memory and event loop are looked at. */
import { join } from 'node:path'
import { exportAll, importFile } from './bulk.ts'
import { kithCommand } from './child.ts'
import { writeCsv } from './csv.ts'
import { apiRequest, askedIds } from './data.ts'
import type { Running } from './kiths.ts'
import { load, type Request } from './load.ts'
import type { Context } from './outcome.ts'
import { FILTER, inputAt, TERMS } from './people.ts'
import { signIn } from './person-of-org.ts'

const ROWS = 100_000
const ROWS_SHORT = 20_000

/** Each by name, to be run one after the other: the last ones change what is there. */
export async function everyLoad(
  { data, isFull }: Context,
  { filled, kith }: Running,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<Record<string, () => Promise<unknown>>> {
  const person = await signIn(filled, kith)
  const folder = data.folder()
  const last = filled.contacts - 200
  const run = (requests: readonly Request[]) => () => load({ url: kith.url, connections, seconds, requests })
  const get = (path: string) => run([apiRequest(filled, 'GET', path)])
  const of = (from: Record<string, string | number>) => new URLSearchParams(from as Record<string, string>)
  const ids = askedIds(filled)
  return {
    'get a contact': run(ids.map((id) => apiRequest(filled, 'GET', `/contacts/${id}`))),
    'first 200': get('/contacts?limit=200'),
    'last 200': get(`/contacts?${of({ limit: 200, offset: last })}`),
    'by stage, deep': get(`/contacts?${of({ stage: FILTER.stage, limit: 200, offset: Math.floor(last / 5) })}`),
    'by stage and label': get(`/contacts?${of({ ...FILTER, limit: 200 })}`),
    'search, in most': get(`/contacts?${of({ q: TERMS.commonest, limit: 200 })}`),
    'search, in most, last 200': get(
      `/contacts?${of({ q: TERMS.commonest, limit: 200, offset: Math.floor(last / 2) })}`,
    ),
    'search, one letter': get('/contacts?q=a&limit=200'),
    'search, in some': get(`/contacts?${of({ q: TERMS.usual, limit: 200 })}`),
    'search, in none': get('/contacts?q=xyzzyx'),
    'search, 200 wildcards': get(`/contacts?${of({ q: '%_\\'.repeat(66) })}`),
    'search by stage': get(`/contacts?${of({ q: TERMS.commonest, stage: FILTER.stage, limit: 200 })}`),
    deals: get('/deals?limit=200'),
    'deals, deep': get(`/deals?${of({ limit: 200, offset: Math.floor(filled.contacts / 3) })}`),
    export: () => exportAll(person),
    backup: () => kithCommand(filled.program, filled.place, 'backup', join(folder, 'kith.backup')),
    patch: run(ids.map((id, i) => apiRequest(filled, 'PATCH', `/contacts/${id}`, { deal_value: i }))),
    create: run(ids.map((_, i) => apiRequest(filled, 'POST', '/contacts', inputAt(i)))),
    import: async () => {
      const file = join(folder, 'contacts.csv')
      await writeCsv(file, filled.contacts, isFull ? ROWS : ROWS_SHORT)
      await importFile(person, file)
    },
  }
}
