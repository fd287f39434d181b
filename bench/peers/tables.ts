/** Fills a peer's table on PostgreSQL. */
import pg from 'pg'
import { FIELDS } from '../frame/fill.ts'
import { personAt } from '../frame/people.ts'
import { type Fields, fieldsAt } from './contacts.ts'

const BATCH = 5_000
const NAMES = Object.keys(FIELDS) as (keyof Fields)[]

/** More columns than those of a contact, each with its type and value. */
export type Extra = Record<string, { type: string; value(at: number): string | null }>

/** Id and time as Kith has them. */
export const ID = { type: 'uuid', value: (at: number) => personAt(at).id }
export const CREATED = { type: 'timestamptz', value: (at: number) => personAt(at).created_at }

/** Runs statements one after the other. */
export function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  return client
    .connect()
    .then(() => work(client))
    .finally(() => client.end())
}

/** @param table as it is written in SQL */
export function fillPeerTable(
  url: string,
  { table, extra, contacts, afterwards }: { table: string; extra: Extra; contacts: number; afterwards: string[] },
): Promise<void> {
  const types = [...Object.values(extra).map(({ type }) => type), ...Object.values(FIELDS)]
  const columns = [...Object.keys(extra), ...NAMES].map((name) => `"${name}"`)
  const text = `insert into ${table} (${columns}) select * from unnest(${types.map((type, i) => `$${i + 1}::${type}[]`)})`
  return withClient(url, async (client) => {
    for (let made = 0; made < contacts; made += BATCH) {
      const batch = Array.from({ length: Math.min(BATCH, contacts - made) }, (_, i) => made + i)
      const fields = batch.map(fieldsAt)
      const values = [
        ...Object.values(extra).map(({ value }) => batch.map(value)),
        ...NAMES.map((name) => fields.map((row) => row[name])),
      ]
      await client.query({ name: 'fill', text, values })
    }
    for (const statement of afterwards) await client.query(statement)
    await client.query(`vacuum analyze ${table}`)
  })
}
