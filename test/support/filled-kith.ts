/** A server with some weeks of a company's work in it, for pictures of the web app and for measuring its pages. */
import assert from 'node:assert/strict'
import type { Contact } from '../../server/src/contacts/schema.ts'
import type { EventName } from '../../server/src/events/names.ts'
import { demoContacts, demoTasksAbout } from '../../server/src/imports/sample-data.ts'
import { COLORS } from '../../server/src/orgs/schema.ts'
import { engines } from './databases.ts'
import type { Answer } from './http-client.ts'
import { Kith } from './kith.ts'
import type { Org } from './org.ts'
import { type Received, type Receiver, startReceiver } from './receiver.ts'
import type { Ui } from './ui.ts'
import { until } from './until.ts'

export interface Filled {
  org: Org
  /** An admin, signed in. */
  person: Ui
  /** Somebody with a history, tasks and deliveries. */
  contactId: string
  /** One that fails now and then. */
  webhookId: string
  /** Checked, with rows that have problems. */
  importId: string
}

interface Hand {
  kith: Kith
  org: Org
  person: Ui
  receiver: Receiver
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** A new server on SQLite with such an org; to be closed. */
export async function openFilledKith(): Promise<Filled & { kith: Kith; close(): Promise<void> }> {
  const kith = new Kith(engines.find(({ name }) => name === 'sqlite')!)
  await kith.open()
  return { ...(await addFilledOrg(kith)), kith, close: () => kith.close() }
}

/** Adds an org and fills it through the web app's own routes and the API. */
export async function addFilledOrg(kith: Kith): Promise<Filled> {
  const receiver = await startReceiver()
  const org = await kith.org({ name: 'Northlight Trading', hourly_limit: 5_000 })
  const person = await kith.ui(org, 'admin', { name: 'Maren Lindqvist', email: 'maren@northlight.example' })
  const ids = await fill({ kith, org, person, receiver })
  await receiver.close()
  return { org, person, ...ids }
}

async function fill(hand: Hand) {
  await setUpOrg(hand)
  const webhookId = await addWebhooks(hand)
  const contacts = await addContacts(hand)
  const contactId = await addHistory(hand, contacts)
  await addKeys(hand)
  await addPlaces(hand)
  await addViews(hand)
  const importId = await addImports(hand)
  await until('everything is delivered', async () =>
    (await hand.org.deliveries()).every(({ state }) => state === 'delivered' || state === 'failed'),
  )
  await addPast(hand, webhookId)
  return { contactId, webhookId, importId }
}

async function setUpOrg({ kith, org, person }: Hand) {
  await done(person.patch('/org', { time_zone: 'Europe/Berlin', currency: 'EUR' }))
  const stages = [
    ['lead', 'grey', 10],
    ['qualified', 'blue', 25],
    ['proposal', 'violet', 50],
    ['negotiation', 'amber', 75],
    ['won', 'green', 100],
    ['lost', 'red', 0],
  ].map(([name, color, probability]) => ({ name, color: COLORS[color as keyof typeof COLORS], probability }))
  await done(person.post('/org/stages', { stages }))
  const labels = Object.entries({ hot: COLORS.red, warm: COLORS.amber, cold: COLORS.blue }).map(([name, color]) => ({
    name,
    color,
  }))
  await done(person.post('/org/labels', { labels }))
  await kith.ui(org, 'admin', { name: 'Tomás Okafor', email: 'tomas@northlight.example' })
  await kith.ui(org, 'member', { name: 'Priya Berger', email: 'priya@northlight.example' })
  await kith.ui(org, 'member', { name: 'Jonas Haddad', email: 'jonas@northlight.example' })
  await done(person.post('/invitations', { email: 'leila@northlight.example', role: 'member' }))
}

/** @returns the id of the one that fails now and then */
async function addWebhooks({ person, receiver }: Hand): Promise<string> {
  const all: EventName[] = [
    'contact.created',
    'contact.updated',
    'deal.stage_changed',
    'task.created',
    'task.completed',
  ]
  const good = receiver.hook(() => ({
    status: 200,
    delayMs: 35,
    headers: { 'content-type': 'application/json' },
    body: '{"ok":true}',
  }))
  const busy = receiver.hook(answerOfBusyServer)
  const quiet = receiver.hook()
  await done(person.post('/webhooks', { url: good.url, events: all, note: 'Data warehouse' }))
  const { id } = await done(person.post('/webhooks', { url: busy.url, events: all, note: 'Chat notifications' }))
  const events: EventName[] = ['deal.stage_changed']
  const paused = await done(person.post('/webhooks', { url: quiet.url, events, note: 'Billing, until the move' }))
  await done(person.post(`/webhooks/${paused.id}/pause`, {}))
  return id
}

function answerOfBusyServer({ json }: Received) {
  const number = Number.parseInt(String(json.payload.contact?.id ?? json.payload.task?.id ?? '0').slice(-2), 16)
  if (number % 9 === 0) return { status: 503, delayMs: 240, body: 'upstream is restarting' }
  if (number % 23 === 0) return { status: 302, headers: { location: 'https://example.com/' } }
  return { status: 202, delayMs: 60 + number / 2, body: 'accepted' }
}

async function addContacts({ org }: Hand): Promise<Contact[]> {
  const contacts: Contact[] = []
  for (const input of demoContacts()) contacts.push((await org.addContact(input)) as Contact)
  for (const [at, contact] of contacts.entries()) {
    for (const { input, isDone } of demoTasksAbout(contact, at)) {
      const { id } = await org.addTask(input)
      if (isDone) await done(org.api.patch(`/tasks/${id}`, { status: 'done' }))
    }
  }
  return contacts
}

/** @returns whose it is */
async function addHistory({ org, person }: Hand, contacts: Contact[]): Promise<string> {
  const contact = contacts.find(({ deal_stage }) => deal_stage === 'negotiation')!
  const path = `/contacts/${contact.id}`
  for (const deal_stage of ['proposal', 'qualified', 'negotiation']) await done(org.api.patch(path, { deal_stage }))
  const entries = [
    ['call', 'Spoke about delivery dates. They want the first pallets before the end of the month.'],
    ['email', 'Sent the revised offer: 5 % off above 40 pallets, net 30 days.'],
    [
      'meeting',
      'Visited the warehouse in Rotterdam with Tomás. Good impression; the floor manager decides together with finance.',
    ],
    ['note', 'Asks for a reference in food. Northlight Bakery would take a call.'],
  ]
  for (const [kind, body] of entries) await done(person.post(`${path}/activities`, { kind, body }))
  const soon = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()
  const about = { contact_id: contact.id, category: 'call' }
  await org.addTask({ ...about, title: 'Call about the reference', priority: 'high', due_at: soon(3) })
  await org.addTask({ ...about, title: 'Send the contract', priority: 'normal', category: 'email', due_at: soon(30) })
  return contact.id
}

async function addKeys({ kith, person }: Hand) {
  const both = ['read', 'write']
  const form = await done(person.post('/tokens', { name: 'Website contact form', scopes: both }))
  await done(person.post('/tokens', { name: 'Quarterly report', scopes: ['read'] }))
  const old = await done(person.post('/tokens', { name: 'Spreadsheet sync', scopes: both }))
  await done(person.post(`/tokens/${old.id}/revoke`, {}))
  await done(kith.client.get('/api/v1/deals', { authorization: `Bearer ${form.token}` }))
}

/** Of the whole server: they are there already when another org has asked for them. */
async function addPlaces({ person }: Hand) {
  await done(person.post('/places/sample', {}))
}

async function addViews({ person }: Hand) {
  const views = [
    { name: 'Large open deals', filter: { stages: ['proposal', 'negotiation'] }, sort: '-value' },
    { name: 'Retail', filter: { tag: 'retail' }, sort: 'company' },
  ]
  for (const view of views) await done(person.post('/views', { ...view, columns: [] }))
}

const LEADS = [
  'Name;Company;E-mail;Phone;City;Potential',
  'Anneke Visser;Delta Bloemen;anneke@deltabloemen.example;+31 20 555 0101;Aalsmeer;12.500',
  'Paolo Ricci;Ricci Ceramiche;paolo@ricci.example;+39 0536 555 010;Sassuolo;8.200',
  'Sofia Marin;Marin Conserve;sofia@marin;+40 21 555 0199;Constanța;4.900',
  'Håkon Dahl;Fjordfisk AS;hakon@fjordfisk.example;+47 55 55 01 01;Bergen;31.000',
  'Ewa Nowak;Nowak Meble;ewa.nowak@@meble.example;+48 61 555 01 10;Poznań;17.250',
  'Luc Bernard;Atelier Bernard;luc@atelierbernard.example;+33 4 55 55 01 01;Annecy;see mail',
  ...Array.from(
    { length: 40 },
    (_, at) => `Lead ${at + 1};Spring fair ${at + 1};lead${at + 1}@fair.example;;Hamburg;${at + 1}.000`,
  ),
]

/** @returns the id of one that waits for its problems to be looked at */
async function addImports({ person }: Hand): Promise<string> {
  const upload = async (name: string, lines: string[]) => {
    const headers = { 'content-type': 'text/csv' }
    const { id } = await done(person.post(`/imports/upload?name=${name}`, lines.join('\n'), headers))
    await done(person.post(`/imports/${id}/check`, {}))
    await reaches(person, id, 'checked')
    return id
  }
  const first = await upload('autumn-fair.csv', [LEADS[0]!, LEADS[1]!, LEADS[2]!, LEADS[4]!])
  await done(person.post(`/imports/${first}/run`, { skip_problems: true }))
  await reaches(person, first, 'done')
  return upload('spring-fair-leads.csv', LEADS)
}

function reaches(person: Ui, id: string, state: string) {
  return until(`the import is ${state}`, async () => (await done(person.get(`/imports/${id}`))).state === state)
}

/** What nobody can make happen in a few seconds: a day of deliveries and of requests. */
async function addPast({ kith, org }: Hand, webhookId: string) {
  const hour = Math.floor(Date.now() / HOUR_MS)
  const past = Array.from({ length: 24 * 7 }, (_, at) => {
    const working = Math.max(0, Math.sin((((hour - at) % 24) / 24) * Math.PI * 2 - Math.PI / 2))
    const failed = at % 11 === 4 ? 9 : at % 5 === 0 ? 2 : 0
    return {
      org_id: org.id,
      subscription_id: webhookId,
      hour: hour - at - 1,
      delivered: Math.round(8 + working * 90),
      failed,
    }
  })
  const minute = Math.floor(Date.now() / MINUTE_MS)
  const requests = Array.from({ length: 24 * 60 }, (_, at) => {
    const working = Math.max(0, Math.sin(((((minute - at) / 60) % 24) / 24) * Math.PI * 2 - Math.PI / 2))
    const allowed = Math.round(12 + working * 58 + ((at * 37) % 11))
    return { org_id: org.id, minute: minute - at - 1, token_id: org.ownToken.id, allowed, refused: 0 }
  })
  await kith.db.write(async (tx) => {
    await tx
      .updateTable('api_token')
      .set({ name: 'Nightly export' })
      .where('org_id', '=', org.id)
      .where('id', '=', org.ownToken.id)
      .execute()
    // The server counts for itself meanwhile: what it has written of this hour and minute stays.
    await tx
      .insertInto('delivery_hour')
      .values(past)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    for (let at = 0; at < requests.length; at += 200) {
      await tx
        .insertInto('usage_minute')
        .values(requests.slice(at, at + 200))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
  })
}

/** @returns the body of an answer that is no refusal */
// biome-ignore lint/suspicious/noExplicitAny: the routes' own tests are about its shape
async function done(call: Promise<Answer>): Promise<any> {
  const answer = await call
  assert.ok(answer.status < 300, `${answer.status}: ${answer.text}`)
  return answer.body
}
