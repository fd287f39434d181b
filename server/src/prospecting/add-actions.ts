/** Adding places as contacts: one import, which is undone like any other. */
import type { Actor } from '../actor.ts'
import { createContact } from '../contacts/actions.ts'
import type { Contact } from '../contacts/schema.ts'
import type { Database, Reader, Tx } from '../database/engine.ts'
import { addedBy, beginHanded, endOfImport } from '../imports/handed-actions.ts'
import { requireStage } from '../orgs/actions.ts'
import type { AddedPlaces, AddPlaces, PlaceToAdd } from './add-schema.ts'
import { contactOfPlace } from './contact-of-place.ts'
import { contactsOfPlaces, insertContactPlace } from './contact-place-store.ts'
import { originOf } from './place-origin.ts'
import { bandOf } from './position.ts'
import { recognised } from './recognition.ts'
import type { Place, PlaceSource } from './schema.ts'
import { websiteKey } from './website.ts'

/** The server answers before a browser, or a proxy, gives up; what is left goes on by itself. */
const WAIT_MS_MAX = 10_000

/**
 * Adds places as contacts, those left out that are contacts already, and waits until they are there.
 *
 * @param found the places as their source has them now
 * @throws ApiError `validation` when the pipeline is strict and lacks the stage
 */
export async function addPlaces(
  db: Database,
  actor: Actor,
  { source, places }: { source: PlaceSource; places: readonly Place[] },
  { source_ids, deal_stage, label, tags }: Omit<AddPlaces, 'source'>,
): Promise<AddedPlaces> {
  const { orgId } = actor
  const there = new Set(places.map(({ source_id }) => source_id))
  const gone = source_ids.filter((id) => !there.has(id))
  const known = await recognised(db.slow, orgId, source, places)
  const rows = places
    .filter(({ source_id }) => !known.has(source_id))
    .flatMap((place) => rowOf(source, place, { deal_stage, label, tags }))
  if (rows.length === 0) return { import_id: null, state: 'done', added: 0, already: listed(known), gone }

  const key = await db.write(async (tx) => {
    if (deal_stage) await requireStage(tx, orgId, deal_stage)
    return beginHanded(tx, actor, { source: 'places', name: source.name, rows })
  })
  const { state, counts } = await endOfImport(db, key, WAIT_MS_MAX)
  if (counts.rows_skipped > 0) {
    for (const [id, contact] of await addedByOthers(db.read, key, rows)) known.set(id, contact)
  }
  const shown = state as AddedPlaces['state']
  return { import_id: key.id, state: shown, added: counts.rows_added, already: listed(known), gone }
}

function rowOf(source: PlaceSource, place: Place, common: Parameters<typeof contactOfPlace>[1]): PlaceToAdd[] {
  const { id, name, licence, attribution, attribution_url } = source
  const { source_id, category, category_text, website, latitude, longitude } = place
  const input = contactOfPlace(place, common)
  if (!input) return []
  const kept = { source_id, category, category_text, website, latitude, longitude }
  return [{ input, place: kept, source: { id, name, licence, attribution, attribution_url } }]
}

function listed(known: Awaited<ReturnType<typeof recognised>>): AddedPlaces['already'] {
  return [...known].map(([source_id, contact]) => ({ source_id, contact }))
}

/** What somebody else has added since it was looked at. */
async function addedByOthers(db: Reader, key: { orgId: string; id: string }, rows: readonly PlaceToAdd[]) {
  const candidates = await contactsOfPlaces(db, key.orgId, rows.map(keyOf))
  const ids = candidates.map(({ id }) => id)
  const own = await addedBy(db, key, ids)
  return candidates
    .filter(({ id }) => !own.has(id))
    .map(({ source_id, id, full_name, company }) => {
      const contact = { id, name: full_name ?? company ?? '', reason: 'same_place' as const }
      return [source_id, contact] as const
    })
}

/** One row of such an import. @returns undefined when a contact has come from that very place meanwhile */
export async function takePlace(tx: Tx, actor: Actor, row: unknown): Promise<Contact | undefined> {
  const toAdd = row as PlaceToAdd
  if ((await contactsOfPlaces(tx, actor.orgId, [keyOf(toAdd)])).length > 0) return undefined
  const contact = await createContact(tx, actor, toAdd.input)
  await keepPlace(tx, contact, actor.orgId, toAdd)
  return contact
}

async function keepPlace(tx: Tx, contact: Contact, orgId: string, { place, source }: PlaceToAdd): Promise<void> {
  const { source_id, category, category_text, website, latitude, longitude } = place
  await insertContactPlace(tx, {
    org_id: orgId,
    contact_id: contact.id,
    origin: originOf(source, source_id),
    source_id,
    source: source.name,
    licence: source.licence,
    attribution: source.attribution,
    attribution_url: source.attribution_url,
    category: category_text ?? category,
    website,
    website_key: websiteKey(website) ?? null,
    band: bandOf(latitude),
    latitude,
    longitude,
    added_at: contact.created_at,
  })
}

function keyOf({ place: { source_id }, source }: PlaceToAdd): { origin: string; source_id: string } {
  return { origin: originOf(source, source_id), source_id }
}
