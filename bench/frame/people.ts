/** Made-up contacts for benches: the same for the same number, and as uneven as those of real people. */
import type { Contact, ContactInput } from '../../server/src/contacts/schema.ts'

/** A contact as generated, with the id and time that it has where it is put straight into the tables. */
export type Person = Omit<Contact, 'updated_at'>

/** What most contacts, many, and hardly any have in their names. */
export const TERMS = { rare: 'zyxoquark', usual: 'lovelace', commonest: 'company' } as const

/** Of the filtered list: a popular stage and a rarer label. */
export const FILTER = { stage: 'lead', label: 'hot' } as const

const FIRST_MS = Date.UTC(2024, 0, 1)
const BETWEEN_MS = 61
/** One contact in so many has the rare term. */
const RARE_EVERY = 25_000

const FIRST_NAMES = [
  ...['María', 'James', 'Anna', '伟', 'Mohamed', 'Olga', 'José', 'Priya', 'Emma', '芳', 'Łukasz', 'Fatima', 'Noah'],
  ...[
    'Aiko',
    'Chidi',
    'Zoë',
    'Дмитрий',
    'Ingrid',
    'Mateo',
    'Ελένη',
    '민준',
    'Nguyễn',
    'أحمد',
    'Søren',
    'Анна',
    'Tomás',
  ],
  ...['陽菜', 'Noor', 'François', 'अनिता', 'Grace', 'Jürgen', 'Ada', 'Kwame', 'Siobhán', 'Yusuf', 'Leilani', 'Žofia'],
]
const LAST_NAMES = [
  ...['Smith', 'García', '王', 'Müller', 'Иванов', 'Nguyễn', 'Khan', '김', 'Silva', 'Rossi', 'Kowalski', '田中'],
  ...['Ahmed', 'Okafor', 'Johansson', 'Papadopoulos', 'Sharma', 'López', 'Jansen', 'Dubois', 'Яковлев', 'Ångström'],
  ...['O’Connor', 'Haddad', 'Øverland', 'Çelik', 'Novák', 'حداد', 'Lovelace', 'McAllister', 'Fernández-Ruiz', 'Berg'],
  ...['Tanaka', 'شریفی', 'Παππάς', 'van der Meer', 'Hopper', 'Mbeki', 'Balogun', 'Szczepański', 'पटेल', '鈴木'],
]
const COMPANY_WORDS = [
  ...['Nord', 'Blue', 'Summit', 'Harbour', 'Atlas', 'Verde', 'Lumen', 'Orchid', 'Granit', 'Solar', 'Kite', 'Alpen'],
  ...['Delta', 'Maple', 'Copper', 'Vega', 'Cedar', 'Polar', 'Ruby', 'Terra', 'Vital', 'Zenit', 'Fjord', 'Sakura'],
]
const TRADES = ['Bakery', 'Logistics', 'Software', 'Clinic', 'Studio', 'Foods', 'Optics', 'Legal', 'Energy', 'Textil']
const FORMS = ['Company', 'Company', 'Company', 'Company', 'Company', 'Company', 'GmbH', 'Ltd', 'S.A.', '株式会社']
const PLACES = ['London, United Kingdom', 'Berlin', 'Kraków', 'Lagos', 'São Paulo', '大阪市', 'Αθήνα', 'New York, NY']
const TAGS = ['newsletter', 'customer', 'fintech', 'partner', 'event-2025', 'reseller', 'press', 'vip', 'referred']
/** The more often, the more places here. */
const STAGES = [
  ...Array.from({ length: 50 }, () => null),
  ...Array.from({ length: 24 }, () => 'lead'),
  ...Array.from({ length: 11 }, () => 'qualified'),
  ...Array.from({ length: 6 }, () => 'proposal'),
  ...Array.from({ length: 3 }, () => 'negotiation'),
  ...Array.from({ length: 4 }, () => 'won'),
  ...['lost', 'lost'],
]
const LABELS = [
  ...Array.from({ length: 70 }, () => null),
  ...Array.from({ length: 16 }, () => 'cold'),
  ...Array.from({ length: 9 }, () => 'warm'),
  ...Array.from({ length: 4 }, () => 'hot'),
  'do not call',
]

/**
 * The contact of that number.
 *
 * @param at from 0; ids and times grow with it
 * @param series tells apart contacts of one number, as those of several orgs are
 */
export function personAt(at: number, series = 0): Person {
  const next = randomOf(at, series)
  const createdMs = FIRST_MS + at * BETWEEN_MS
  const first = skewed(FIRST_NAMES, next())
  const last = skewed(LAST_NAMES, next())
  const word = skewed(COMPANY_WORDS, next())
  const form = at % RARE_EVERY === RARE_EVERY >> 1 ? TERMS.rare : evenly(FORMS, next())
  const company = `${word} ${evenly(TRADES, next())} ${Math.floor(next() * 900)} ${form}`
  const deal_stage = evenly(STAGES, next())
  return {
    id: idOf(createdMs, next),
    full_name: next() < 0.96 ? `${first} ${last}` : null,
    company,
    email: next() < 0.85 ? `contact.${series}.${at}@example.com` : null,
    phone: next() < 0.6 ? `+49 30 ${1_000_000 + Math.floor(next() * 9_000_000)}` : null,
    location: next() < 0.7 ? skewed(PLACES, next()) : null,
    deal_stage,
    deal_value: deal_stage === null ? null : Math.round(100 * next() ** 3 * 100_000) / 100,
    label: evenly(LABELS, next()),
    tags: next() < 0.5 ? [] : [skewed(TAGS, next())],
    created_at: new Date(createdMs).toISOString(),
  }
}

/** What a program sends to add it. */
export function inputAt(at: number): ContactInput {
  const { id: _id, created_at: _at, ...input } = personAt(at)
  return input
}

/** How many contacts each of so many orgs has: a few have most of them, and each has one. */
export function orgSizes(orgs: number, contacts: number): number[] {
  const weights = Array.from({ length: orgs }, (_, i) => 1 / (i + 1))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => Math.max(1, Math.floor((weight / total) * contacts)))
}

/** Most draws fall on the first ones. */
function skewed<T>(list: readonly T[], draw: number): T {
  return list[Math.floor(draw * draw * list.length)]!
}

function evenly<T>(list: readonly T[], draw: number): T {
  return list[Math.floor(draw * list.length)]!
}

/** Mulberry32: neighbouring seeds give unlike numbers, so that every contact can be made by itself. */
function randomOf(at: number, series: number): () => number {
  let state = (Math.imul(at + 1, 0x9e3779b1) ^ Math.imul(series + 1, 0x85ebca6b)) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A UUIDv7 of that time. */
function idOf(ms: number, next: () => number): string {
  const time = ms.toString(16).padStart(12, '0')
  const random = () =>
    Math.floor(next() * 2 ** 32)
      .toString(16)
      .padStart(8, '0')
  const [a, b] = [random(), random()]
  return `${time.slice(0, 8)}-${time.slice(8)}-7${a.slice(0, 3)}-8${a.slice(3, 6)}-${b}${a.slice(4, 8)}`
}
