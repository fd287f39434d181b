/** Where contacts come from that were found on a map. */
import { type SqlBool, sql } from 'kysely'
import { compiledChange } from '../database/compiled.ts'
import type { Reader, Tx } from '../database/engine.ts'
import { givenRows, lookedUp } from '../database/given-rows.ts'
import type { ContactPlaceTable } from '../database/schema.ts'
import type { MapContact, MapContacts } from './add-schema.ts'
import type { Strip } from './position.ts'
import type { Box } from './schema.ts'

const insertRow = compiledChange<ContactPlaceTable>()((tx, p) =>
  tx.insertInto('contact_place').values({
    org_id: p('org_id'),
    contact_id: p('contact_id'),
    origin: p('origin'),
    source_id: p('source_id'),
    source: p('source'),
    licence: p('licence'),
    attribution: p('attribution'),
    attribution_url: p('attribution_url'),
    category: p('category'),
    website: p('website'),
    website_key: p('website_key'),
    band: p('band'),
    latitude: p('latitude'),
    longitude: p('longitude'),
    added_at: p('added_at'),
  }),
)

/** @throws a unique violation when the org has the place already */
export async function insertContactPlace(tx: Tx, row: ContactPlaceTable): Promise<void> {
  await insertRow(tx, row)
}

/** A contact that one of the asked places may be. */
export interface Candidate {
  /** The place's, as it was asked for. */
  source_id: string
  id: string
  full_name: string | null
  company: string | null
  latitude: number
  longitude: number
}

const OF_CANDIDATE = sql.raw('c.id, c.full_name, c.company, k.latitude, k.longitude')

/** The contact `c` of a place `k`. */
function contactOfPlace(db: Reader, orgId: string) {
  return lookedUp(db, 'contact', 'c', sql`c.org_id = ${orgId} and c.id = k.contact_id`)
}

/** The contacts that came from these very places. */
export async function contactsOfPlaces(
  db: Reader,
  orgId: string,
  places: readonly { origin: string; source_id: string }[],
): Promise<Candidate[]> {
  const given = givenRows(db, places, { origin: 'text', source_id: 'text' })
  const isPlace = sql<SqlBool>`k.org_id = ${orgId} and k.origin = given.origin and k.source_id = given.source_id`
  const { rows } = await sql<Candidate>`select given.source_id, ${OF_CANDIDATE}
    from ${given} ${lookedUp(db, 'contact_place', 'k', isPlace)} ${contactOfPlace(db, orgId)} order by c.id`.execute(db)
  return rows
}

/** Of a chain whose houses all have one website, as many as are worth comparing. */
const SAME_WEBSITE_MAX = 50

export interface WebsiteQuestion {
  source_id: string
  website_key: string
  south: number
  north: number
}

/** The contacts from places with these websites, each between two latitudes. */
export async function contactsOfWebsites(
  db: Reader,
  orgId: string,
  questions: readonly WebsiteQuestion[],
): Promise<Candidate[]> {
  if (questions.length === 0) return []
  const given = givenRows(db, questions, { source_id: 'text', website_key: 'text', south: 'float8', north: 'float8' })
  const hasWebsite = sql<SqlBool>`k.org_id = ${orgId} and k.website_key = given.website_key
    and k.latitude between given.south and given.north`
  const { rows } = await sql<Candidate>`select k.source_id, ${OF_CANDIDATE} from (
      select given.source_id, k.contact_id, k.latitude, k.longitude,
        row_number() over (partition by given.source_id order by k.contact_id) as rank
      from ${given} ${lookedUp(db, 'contact_place', 'k', hasWebsite)}
    ) k ${contactOfPlace(db, orgId)} where k.rank <= ${SAME_WEBSITE_MAX} order by c.id`.execute(db)
  return rows
}

/** The contacts from places in these strips, of which no two overlap. */
export async function contactsInStrips(
  db: Reader,
  orgId: string,
  strips: readonly Strip[],
): Promise<Omit<Candidate, 'source_id'>[]> {
  const corners = { south: 'float8', west: 'float8', north: 'float8', east: 'float8' } as const
  const given = givenRows(db, strips, { band: 'integer', ...corners })
  const isInStrip = sql<SqlBool>`k.org_id = ${orgId} and k.band = strip.band
    and k.longitude between strip.west and strip.east and k.latitude between strip.south and strip.north`
  // Materialized: SQLite would take the strip's JSON apart anew for each contact in it.
  const { rows } = await sql<Omit<Candidate, 'source_id'>>`with strip as materialized (select * from ${given})
    select ${OF_CANDIDATE} from strip ${lookedUp(db, 'contact_place', 'k', isInStrip)} ${contactOfPlace(db, orgId)} order by c.id`.execute(
    db,
  )
  return rows
}

export interface BoxQuestion extends Box {
  /** The bands that the box reaches over, from the first to the last. */
  bands: [first: number, last: number]
  limit: number
}

/** The contacts that lie in a box, newest first, and how many there are. */
export async function contactsInBox(db: Reader, orgId: string, box: BoxQuestion): Promise<MapContacts> {
  // A left join, as in a search for a text: every hit is there, and is looked up after the page has been cut.
  const { rows } = await sql<MapContact & { count: number }>`
    with hits as materialized (
      select k.contact_id, k.latitude, k.longitude from contact_place k
      where k.org_id = ${orgId} and k.band between ${box.bands[0]} and ${box.bands[1]}
        and k.longitude between ${box.west} and ${box.east} and k.latitude between ${box.south} and ${box.north})
    select c.id, c.full_name, c.company, c.deal_stage, c.label, page.latitude, page.longitude,
      (select count(*) from hits) as count
    from (select * from hits order by contact_id desc limit ${box.limit}) page
    left join contact c on c.org_id = ${orgId} and c.id = page.contact_id order by page.contact_id desc`.execute(db)
  return { data: rows.map(({ count: _, ...contact }) => contact), meta: { count: rows[0]?.count ?? 0 } }
}

const OF_CONTACT = [
  'contact_id',
  'source_id',
  'source',
  'licence',
  'attribution',
  'attribution_url',
  'category',
  'website',
  'latitude',
  'longitude',
  'added_at',
] as const

export type StoredPlace = Pick<ContactPlaceTable, (typeof OF_CONTACT)[number]>

/** The places of those of these contacts that came from one. */
export function placesOfContacts(db: Reader, orgId: string, contactIds: readonly string[]): Promise<StoredPlace[]> {
  if (contactIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('contact_place')
    .select(OF_CONTACT)
    .where('org_id', '=', orgId)
    .where('contact_id', 'in', contactIds)
    .execute()
}

/** Ids of contacts that came from a place, ascending, those after this one. */
export async function placeContactIds(
  db: Reader,
  orgId: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('contact_place')
    .select('contact_id')
    .where('org_id', '=', orgId)
    .where('contact_id', '>', after)
    .orderBy('contact_id')
    .limit(limit)
    .execute()
  return rows.map(({ contact_id }) => contact_id)
}
