/** Holds the database and the receiver against the ledger. */
import { until } from '../support/until.ts'
import type { Cluster } from './cluster.ts'
import type { Ledger, Written } from './ledger.ts'
import type { Receipts } from './receipts.ts'

const DELIVERY_MS_MAX = 120_000

export interface AuditParts {
  cluster: Cluster
  orgId: string
  ledger: Ledger
  receipts: Receipts
}

interface ContactRow {
  id: string
  full_name: string
  phone: string | null
  created: number
  updated: number
  unsent: number
}

/**
 * Waits until no delivery is due any more, and looks through everything; nobody writes meanwhile.
 *
 * @returns a sentence for each fault
 */
export async function audit({ cluster, orgId, ledger, receipts }: AuditParts): Promise<string[]> {
  const ask = (sql: string) => cluster.query(sql, [orgId], 'kith')
  await until('nothing is due', async () => (await ask(DUE)).length === 0, DELIVERY_MS_MAX)
  const byName = Map.groupBy((await ask(CONTACTS)) as ContactRow[], (row) => row.full_name)
  const faults: string[] = []
  for (const [name, written] of ledger.contacts) {
    const fault = faultOf(written, byName.get(name) ?? [], receipts)
    if (fault) faults.push(`${name}: ${fault}`)
  }
  for (const name of byName.keys()) if (!ledger.contacts.has(name)) faults.push(`${name} was never asked for.`)
  for (const { id, state } of await ask(DELIVERIES)) {
    if (state !== 'delivered') faults.push(`The delivery ${id} is ${state}.`)
    else if (!receipts.has(id)) faults.push(`The delivery ${id} is recorded as delivered, and never came.`)
  }
  for (const { id } of await ask(ALONE)) faults.push(`The event ${id} has no delivery.`)
  if (receipts.outOfOrder > 0) faults.push(`${receipts.outOfOrder} deliveries came out of the order of their contact.`)
  return [...faults, ...ledger.wrongAnswers]
}

const DUE = `select id from delivery where org_id = $1 and state in ('ready', 'queued') limit 1`

/** With the number of their events, by name, and of those whose delivery is not done. */
const CONTACTS = `
  select c.id, c.full_name, c.phone, count(e.id) filter (where e.name = 'contact.created')::int as created,
    count(e.id) filter (where e.name = 'contact.updated')::int as updated,
    (count(e.id) - count(d.id) filter (where d.state = 'delivered'))::int as unsent
  from contact c
  left join event e on e.org_id = c.org_id and e.contact_id = c.id
  left join delivery d on d.org_id = e.org_id and d.event_id = e.id
  where c.org_id = $1 group by c.org_id, c.id`

const DELIVERIES = `select id, state from delivery where org_id = $1`

const ALONE = `
  select e.id from event e left join delivery d on d.org_id = e.org_id and d.event_id = e.id
  where e.org_id = $1 and d.id is null`

function faultOf(written: Written, rows: ContactRow[], receipts: Receipts): string | undefined {
  const [row] = rows
  if (rows.length > 1) return `It is there ${rows.length} times.`
  if (written.id === undefined) return written.hasKey ? 'It was never acknowledged.' : eventFault(written, row)
  if (written.deletion === 'acknowledged') {
    if (row) return 'It is there, though its deletion was acknowledged.'
    return receipts.hasDeletionOf(written.id) ? undefined : 'Its contact.deleted never came.'
  }
  if (!row) return written.deletion === 'asked' ? undefined : 'It is lost.'
  if (row.id !== written.id) return `It has the id ${row.id}; ${written.id} was acknowledged.`
  const phone = Number(row.phone ?? 0)
  if (phone < written.changeAcknowledged || phone > written.changesAsked) {
    return `It has change ${phone}; ${written.changeAcknowledged} was acknowledged, ${written.changesAsked} asked for.`
  }
  return eventFault(written, row)
}

function eventFault({ changesAcknowledged, changesAsked }: Written, row: ContactRow | undefined): string | undefined {
  if (!row) return undefined
  if (row.created !== 1) return `It has ${row.created} contact.created.`
  if (row.updated < changesAcknowledged || row.updated > changesAsked) {
    return `It has ${row.updated} contact.updated; ${changesAcknowledged} changes were acknowledged, ${changesAsked} asked for.`
  }
  return row.unsent === 0 ? undefined : `${row.unsent} of its events have no delivery that is done.`
}
