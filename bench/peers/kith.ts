import { apiRequest, askedIds } from '../frame/data.ts'
import { filledFor, kithOn } from '../frame/kiths.ts'
import type { Context } from '../frame/outcome.ts'
import { FILTER, TERMS } from '../frame/people.ts'
import { OWN } from '../frame/program.ts'
import { serverOf } from '../frame/turns.ts'
import { ASKED, changeAt, newContacts, PAGE } from './contacts.ts'
import type { Served } from './peer.ts'

/** Kith as it is: token, rate limit, exact counts, events and durable commits. */
export async function startKithAsPeer(
  context: Context,
  engine: 'sqlite' | 'postgres',
  contacts: number,
): Promise<Served> {
  const filled = await filledFor(context, { program: OWN, engine, contacts })
  const kith = await kithOn(context, filled)
  const databaseUs = engine === 'postgres' ? (await context.data.postgres()).processorUs : undefined
  const ids = askedIds(filled)
  const list = (query: Record<string, string>) => {
    return [apiRequest(filled, 'GET', `/contacts?${new URLSearchParams({ limit: String(PAGE), ...query })}`)]
  }
  return {
    server: serverOf(kith, databaseUs),
    requests: {
      get: ids.map((id) => apiRequest(filled, 'GET', `/contacts/${id}`)),
      list: list(FILTER),
      search: list({ q: TERMS.usual }),
      patch: ids.map((id, i) => apiRequest(filled, 'PATCH', `/contacts/${id}`, changeAt(i))),
      create: Array.from({ length: ASKED }, (_, i) => apiRequest(filled, 'POST', '/contacts', newContacts[i]!)),
    },
  }
}
