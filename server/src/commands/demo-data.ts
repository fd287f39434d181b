/** Made-up people, companies and work: the same at every call, so that examples can name them. */
import { now, toIso } from '../clock.ts'
import type { Contact, ContactInput } from '../contacts/schema.ts'
import type { TaskInput } from '../tasks/schema.ts'

const CONTACTS = 100
const TASKS = 20
const DAY_MS = 24 * 3_600_000

const FIRST_NAMES = `Ada Bruno Chidi Dana Emre Freya Goran Hana Idris Jonas Keiko Leila Mateo Nadia Owen Priya Quentin
  Rosa Sven Tara Umar Vera Wen Ximena Yusuf`.split(/\s+/)
const LAST_NAMES =
  `Almeida Berger Castellanos Dupont Eriksen Fontaine Grabowski Haddad Ivanova Jansen Kowalski Lindqvist
  Moreau Nakamura Okafor Petrov Quiroga Rossi Schneider Takahashi`.split(/\s+/)

interface Company {
  name: string
  location: string
  tag: string
}

const COMPANIES: Company[] = [
  ['Northlight Bakery', 'Oslo, Norway', 'food'],
  ['Brightwater Logistics', 'Rotterdam, Netherlands', 'logistics'],
  ['Meridian Optics', 'Jena, Germany', 'manufacturing'],
  ['Saltmarsh Studio', 'Bristol, United Kingdom', 'design'],
  ['Fernhill Clinics', 'Dublin, Ireland', 'health'],
  ['Castor & Vale', 'Lyon, France', 'legal'],
  ['Bluestem Solar', 'Austin, United States', 'energy'],
  ['Harbour Row Hotels', 'Lisbon, Portugal', 'travel'],
  ['Quillon Software', 'Tallinn, Estonia', 'software'],
  ['Redwood Cooperative', 'Portland, United States', 'retail'],
  ['Alpenrad Cycles', 'Innsbruck, Austria', 'retail'],
  ['Tidepool Research', 'Gothenburg, Sweden', 'software'],
  ['Ostara Gardens', 'Ghent, Belgium', 'retail'],
  ['Lumen Freight', 'Gdańsk, Poland', 'logistics'],
  ['Copperfield Schools', 'Leeds, United Kingdom', 'education'],
  ['Zephyr Instruments', 'Osaka, Japan', 'manufacturing'],
  ['Palmera Foods', 'Valencia, Spain', 'food'],
  ['Kestrel Insurance', 'Toronto, Canada', 'finance'],
  ['Basalt Construction', 'Reykjavík, Iceland', 'construction'],
  ['Marigold Media', 'Lagos, Nigeria', 'media'],
].map(([name, location, tag]) => ({ name: name!, location: location!, tag: tag! }))

/** By weight: what a sales team's list tends to look like. */
const STAGES = [...['lead', 'lead', 'lead', 'qualified', 'qualified', 'proposal', 'negotiation', 'won', 'lost'], null]
const LABELS = ['hot', 'warm', null, 'cold', null, 'warm', null]

/** 100 contacts, five of each of 20 companies. */
export function demoContacts(): ContactInput[] {
  return Array.from({ length: CONTACTS }, (_, at) => {
    const company = COMPANIES[at % COMPANIES.length]!
    const first = FIRST_NAMES[at % FIRST_NAMES.length]!
    const last = LAST_NAMES[(at * 7 + Math.floor(at / LAST_NAMES.length)) % LAST_NAMES.length]!
    const stage = STAGES[(at * 3 + Math.floor(at / 10)) % STAGES.length]!
    return {
      full_name: `${first} ${last}`,
      company: company.name,
      email: `${first}.${last}@${company.name.replace(/\W+/g, '')}.example`.toLowerCase(),
      phone: `+44 20 7946 0${String(100 + at)}`,
      location: company.location,
      deal_stage: stage,
      deal_value: stage === null ? null : 500 * (1 + ((at * 37) % 96)),
      label: LABELS[at % LABELS.length]!,
      tags: at % 4 === 0 ? [company.tag, 'newsletter'] : [company.tag],
    }
  })
}

const WORK = [
  ['Call', 'call', 'high'],
  ['Send the offer to', 'email', 'normal'],
  ['Prepare the meeting with', 'meeting', 'normal'],
  ['Ask after the contract with', 'follow-up', 'urgent'],
  ['Thank', 'email', 'low'],
] as const

/** 20 tasks about as many contacts, due from four days ago to two weeks from now. */
export function demoTasks(contacts: Contact[]): TaskInput[] {
  return Array.from({ length: TASKS }, (_, at) => {
    const contact = contacts[(at * 7) % contacts.length]!
    const [title, category, priority] = WORK[at % WORK.length]!
    return {
      title: `${title} ${contact.full_name}`,
      category,
      priority,
      due_at: toIso(now() + (at - 4) * DAY_MS),
      contact_id: contact.id,
    }
  })
}
