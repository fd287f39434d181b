/** Made-up people, companies and work: the same at every call, so that examples can name them. */
import { now, toIso } from '../clock.ts'
import type { Contact, ContactInput } from '../contacts/schema.ts'
import type { TaskInput } from '../tasks/schema.ts'

const CONTACTS = 100
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

/**
 * The tasks about one of the contacts; 20 of them are about some contact, due from four days ago to two weeks from now.
 *
 * @param at which of `demoContacts` it is
 */
export function demoTasksAbout(contact: Pick<Contact, 'id' | 'full_name'>, at: number): DemoTask[] {
  return TASK_NUMBERS.filter((task) => (task * 7) % CONTACTS === at).map((task) => {
    const [title, category, priority] = WORK[task % WORK.length]!
    const due_at = toIso(now() + (task - 4) * DAY_MS)
    const input = { title: `${title} ${contact.full_name}`, category, priority, due_at, contact_id: contact.id }
    return { input, isDone: task % DONE_EVERY === 0 }
  })
}

/** All of them. @param contacts those of `demoContacts`, in their order */
export function demoTasks(contacts: readonly Contact[]): TaskInput[] {
  return contacts.flatMap((contact, at) => demoTasksAbout(contact, at).map(({ input }) => input))
}

export interface DemoTask {
  input: TaskInput
  isDone: boolean
}

const TASK_NUMBERS = Array.from({ length: 20 }, (_, task) => task)

/** Every so many tasks one is done already. */
const DONE_EVERY = 5

const NOTES = [
  'Met at the trade fair; asked for a price list.',
  'Wants to see a reference before deciding.',
  'Prefers to be called in the morning.',
  'Budget is agreed for the next quarter.',
]

/** A note on every fifth contact; undefined for the others. */
export function demoNote(at: number): string | undefined {
  return at % 5 === 0 ? NOTES[(at / 5) % NOTES.length] : undefined
}
