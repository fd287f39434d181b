/** Which found places are contacts of an org already. */
import { contactsCalled } from '../contacts/match-actions.ts'
import type { Reader } from '../database/engine.ts'
import { type Candidate, contactsInStrips, contactsOfPlaces, contactsOfWebsites } from './contact-place-store.ts'
import { isSamePhone, phoneEnd, phonesOf } from './phone.ts'
import { originOf } from './place-origin.ts'
import { distanceBetween, METRES_PER_DEGREE, nearTo, stripsAround } from './position.ts'
import type { KnownContact, Place, PlaceSource } from './schema.ts'
import { isSimilar, trigramsOf } from './similar-name.ts'
import { websiteKey } from './website.ts'

/** So far apart may two entries of one business lie that makers of maps have drawn. */
const NEAR_M = 150
/** The houses of a chain often have one website. Farther apart they are taken for two. */
const SAME_WEBSITE_M = 1_000

type Known = Map<string, KnownContact>

/**
 * The contacts that some places of a source are, by the places' `source_id`: what came from the same place; else who has
 * the same telephone number; else what has the same website nearby; else what lies very near under a similar name. The
 * first reason counts, and of several contacts the oldest.
 */
export async function recognised(
  db: Reader,
  orgId: string,
  source: Pick<PlaceSource, 'id'>,
  places: readonly Place[],
): Promise<Known> {
  const known: Known = new Map()
  for (const find of [samePlace, samePhone, sameWebsite, nearAndSimilar]) {
    const rest = places.filter(({ source_id }) => !known.has(source_id))
    if (rest.length === 0) break
    for (const [id, contact] of await find(db, orgId, source, rest)) known.set(id, contact)
  }
  return known
}

type Find = (db: Reader, orgId: string, source: Pick<PlaceSource, 'id'>, places: readonly Place[]) => Promise<Known>

const samePlace: Find = async (db, orgId, source, places) => {
  const keys = places.map(({ source_id }) => ({ origin: originOf(source, source_id), source_id }))
  const candidates = await contactsOfPlaces(db, orgId, keys)
  return firstOfEach(candidates, 'same_place', () => true)
}

const samePhone: Find = async (db, orgId, _source, places) => {
  const phonesByPlace = new Map(places.map(({ source_id, phone }) => [source_id, phonesOf(phone)]))
  const contacts = await contactsCalled(db, orgId, [...phonesByPlace.values()].flat().map(phoneEnd))
  const called = contacts.map((contact) => ({ ...contact, phones: phonesOf(contact.phone) }))
  const found: Known = new Map()
  for (const [sourceId, phones] of phonesByPlace) {
    const contact = called.find((one) => one.phones.some((phone) => phones.some((other) => isSamePhone(phone, other))))
    if (contact) found.set(sourceId, { id: contact.id, name: nameOf(contact), reason: 'same_phone' })
  }
  return found
}

const sameWebsite: Find = async (db, orgId, _source, places) => {
  const questions = places.flatMap(({ source_id, website, latitude }) => {
    const website_key = websiteKey(website)
    const reach = SAME_WEBSITE_M / METRES_PER_DEGREE
    return website_key ? { source_id, website_key, south: latitude - reach, north: latitude + reach } : []
  })
  const candidates = await contactsOfWebsites(db, orgId, questions)
  const placeById = byId(places)
  return firstOfEach(candidates, 'same_website', (candidate) => {
    return distanceBetween(candidate, placeById.get(candidate.source_id)!) <= SAME_WEBSITE_M
  })
}

const nearAndSimilar: Find = async (db, orgId, _source, places) => {
  const placesNear = nearTo(
    places.map((place) => ({ ...place, trigrams: trigramsOf(place.name) })),
    NEAR_M,
  )
  const found: Known = new Map()
  for (const contact of await contactsInStrips(db, orgId, stripsAround(places, NEAR_M))) {
    const near = placesNear(contact).filter(({ source_id }) => !found.has(source_id))
    if (near.length === 0) continue
    const names = [contact.company, contact.full_name].filter((name) => name !== null).map(trigramsOf)
    for (const { source_id, trigrams } of near) {
      if (!names.some((name) => isSimilar(name, trigrams))) continue
      found.set(source_id, { id: contact.id, name: nameOf(contact), reason: 'near_and_similar' })
    }
  }
  return found
}

/** @param candidates oldest contacts first */
function firstOfEach(
  candidates: readonly Candidate[],
  reason: KnownContact['reason'],
  isSame: (candidate: Candidate) => boolean,
): Known {
  const found: Known = new Map()
  for (const candidate of candidates) {
    const { source_id, id } = candidate
    if (!found.has(source_id) && isSame(candidate)) found.set(source_id, { id, name: nameOf(candidate), reason })
  }
  return found
}

function byId(places: readonly Place[]): Map<string, Place> {
  return new Map(places.map((place) => [place.source_id, place]))
}

function nameOf({ full_name, company }: { full_name: string | null; company: string | null }): string {
  return full_name ?? company ?? ''
}
