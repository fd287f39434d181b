/** Contacts that were found on a map: where they are, and where what is known of them comes from. */
import type { Reader } from '../database/engine.ts'
import type { ContactPlace, MapContacts, MapContactsQuery } from './add-schema.ts'
import { contactsInBox, placeContactIds, placesOfContacts, type StoredPlace } from './contact-place-store.ts'
import { bandOf } from './position.ts'

/** The contacts with a position in an area, newest first. */
export function contactsOnMap(db: Reader, orgId: string, { limit, ...box }: MapContactsQuery): Promise<MapContacts> {
  return contactsInBox(db, orgId, { ...box, bands: [bandOf(box.south), bandOf(box.north)], limit })
}

/** @returns null for a contact that came another way */
export async function placeOfContact(db: Reader, orgId: string, contactId: string): Promise<ContactPlace | null> {
  const [place] = await placesOfContacts(db, orgId, [contactId])
  if (!place) return null
  const { contact_id: _, ...shown } = place
  return shown
}

/** The places of those of these contacts that were found on a map, by contact. */
export async function placesByContact(
  db: Reader,
  orgId: string,
  contactIds: readonly string[],
): Promise<Map<string, StoredPlace>> {
  const places = await placesOfContacts(db, orgId, contactIds)
  return new Map(places.map((place) => [place.contact_id, place]))
}

const IDS_AT_ONCE = 5_000
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/** The ids of all contacts of an org that were found on a map, some thousand at a time. */
export async function* contactsWithPlace(db: Reader, orgId: string): AsyncGenerator<string[]> {
  for (let after = BEFORE_ALL; ; ) {
    const ids = await placeContactIds(db, orgId, { after, limit: IDS_AT_ONCE })
    if (ids.length === 0) return
    yield ids
    after = ids.at(-1)!
  }
}
