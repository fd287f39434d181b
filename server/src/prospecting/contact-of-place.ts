import type { ContactInput } from '../contacts/schema.ts'
import type { Detail } from '../http/errors.ts'
import { checkContact } from '../imports/schema.ts'
import type { Place } from './schema.ts'

const NAME_LENGTH_MAX = 200
const ADDRESS_LENGTH_MAX = 200
const PHONE_LENGTH_MAX = 50

/**
 * The contact that a place becomes: its name is the company. Of several numbers or e-mail addresses too long for a
 * contact, the first counts; what the contact's rules refuse is left out.
 *
 * @returns undefined for a place without a usable name
 */
export function contactOfPlace(
  place: Place,
  common: Pick<ContactInput, 'deal_stage' | 'label' | 'tags'>,
): ContactInput | undefined {
  const fields = {
    company: cut(place.name, NAME_LENGTH_MAX),
    location: cut(place.address, ADDRESS_LENGTH_MAX),
    phone: place.phone !== null && lengthOf(place.phone) > PHONE_LENGTH_MAX ? firstOf(place.phone) : place.phone,
    email: firstOf(place.email),
  }
  const accepted = Object.entries(fields).filter(([field, value]) => value !== null && isAccepted(field, value))
  const input: ContactInput = { ...Object.fromEntries(accepted), ...common }
  return input.company ? input : undefined
}

function isAccepted(field: string, value: string): boolean {
  const faults: Detail[] = []
  checkContact({ [field]: value }, faults)
  return faults.length === 0
}

/** Of several with semicolons between them. */
function firstOf(text: string | null): string | null {
  return text?.split(';', 1)[0]?.trim() || null
}

function cut(text: string | null, max: number): string | null {
  return text !== null && lengthOf(text) > max ? [...text].slice(0, max).join('').trim() : text
}

/** In code points, as the contact's limits count. */
function lengthOf(text: string): number {
  return [...text].length
}
