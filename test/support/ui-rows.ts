/**
 * What the tests of the door know of each route of `/ui`: who may call it, a body that it takes, and whose id stands in
 * its path. A route that is missing here fails them.
 */

import type { Answer } from './http-client.ts'
import { checked, problems, upload } from './imports.ts'
import type { Kith } from './kith.ts'
import type { Org } from './org.ts'
import type { Ui } from './ui.ts'
import { until } from './until.ts'

/** An org with somebody of each role, to make records in. */
export interface Team {
  kith: Kith
  org: Org
  admin: Ui
  member: Ui
}

export interface UiRow {
  access: 'anyone' | 'member' | 'admin'
  /** Taken by the route as it is; left out where it takes none. */
  body?: object
  /** What stands behind the question mark, where the route needs something there. */
  query?: string
  /** Makes a record for the ids in the path. @returns what stands there, by the names in the path */
  record?: (team: Team) => Promise<Record<string, string>>
  /** Its answer goes on for as long as somebody listens. */
  isStream?: true
}

const made = (answer: Answer): { id: string } => {
  if (answer.status !== 201) throw new Error(answer.text)
  return { id: answer.body.id }
}

const contact = async ({ org }: Team) => ({ id: (await org.addContact()).id })
const task = async ({ org }: Team) => ({ id: (await org.addTask()).id })
const token = async ({ org }: Team) => ({ id: (await org.token()).id })
const webhook = async ({ org }: Team) => ({ id: (await org.subscribe('http://127.0.0.1:65535/')).id })
const person = async ({ kith, org }: Team) => ({ id: (await kith.ui(org)).member.id })
const session = async ({ admin }: Team) => ({ id: admin.sessionId })
const invitation = async ({ admin }: Team) =>
  made(await admin.post('/invitations', { email: `guest-${crypto.randomUUID()}@example.com`, role: 'member' }))
const view = async ({ admin }: Team) => made(await admin.post('/views', { name: 'A', filter: {} }))
/** Written by the admin, since a note is its author's alone. */
const note = async (team: Team) => {
  const { id } = await contact(team)
  const { id: activity_id } = made(await team.admin.post(`/contacts/${id}/activities`, { kind: 'note', body: 'A' }))
  return { id, activity_id }
}
const importJob = async ({ admin }: Team) => ({ id: (await upload(admin, 'full_name,email\nAda,wrong\n')).id })
const problem = async (team: Team) => {
  const { id } = await importJob(team)
  await checked(team.admin, id)
  const { data } = await problems(team.admin, id)
  return { id, row: String(data[0]!.row) }
}
const placesFile = async ({ admin }: Team) => {
  const text = 'name,latitude,longitude\nAda,42,21\n'
  const answer = await admin.send('POST', '/places/upload?name=a.csv', text, { 'content-type': 'text/csv' })
  return { id: String(answer.body.id).replace('upload:', '') }
}
/** Nobody listens there: it fails, and then its rows stay as they are. */
const delivery = async (team: Team) => {
  const { id } = await webhook(team)
  await team.org.addContact()
  const ended = async () =>
    (await team.org.deliveries()).find((row) => row.subscription_id === id && row.finished_at !== null)
  return { id: (await until('the delivery has ended', ended)).id }
}

const SIGN_UP = { email: 'ada@example.com', password: 'quiet harbour lantern' }
const WEBHOOK = { url: 'http://127.0.0.1:65535/', events: ['contact.created'] }

export const UI_ROWS: Record<string, UiRow> = {
  'GET /setup': { access: 'anyone' },
  'POST /setup': { access: 'anyone', body: { code: 'A', org: { name: 'A' }, member: { name: 'A', ...SIGN_UP } } },
  'POST /sign-in': { access: 'anyone', body: SIGN_UP },
  'POST /links/open': { access: 'anyone', body: { token: 'A' } },
  'POST /links/accept': { access: 'anyone', body: { token: 'A', password: 'A' } },

  'GET /session': { access: 'member' },
  'GET /sessions': { access: 'member' },
  'DELETE /sessions/:id': { access: 'member', record: session },
  'POST /sessions/end-others': { access: 'member' },
  'POST /sign-out': { access: 'member' },
  'GET /members': { access: 'member' },
  'POST /invitations': { access: 'admin', body: { email: 'guest@example.com', role: 'member' } },
  'DELETE /invitations/:id': { access: 'admin', record: invitation },
  'PATCH /members/:id': { access: 'admin', body: { role: 'admin' }, record: person },
  'POST /members/:id/reset': { access: 'admin', record: person },
  'DELETE /members/:id': { access: 'admin', record: person },
  'PATCH /me': { access: 'member', body: { name: 'Grace' } },
  'POST /me/password': { access: 'member', body: { current_password: 'A', new_password: 'B' } },

  'GET /contacts': { access: 'member' },
  'POST /contacts': { access: 'member', body: { full_name: 'Eve' } },
  'GET /contacts/:id': { access: 'member', record: contact },
  'PATCH /contacts/:id': { access: 'member', body: { full_name: 'Eve' }, record: contact },
  'DELETE /contacts/:id': { access: 'member', record: contact },
  'GET /contacts/grid': { access: 'member' },
  'POST /contacts/duplicates': { access: 'member', body: { full_name: 'Eve' } },
  'POST /contacts/bulk': { access: 'member', body: {} },
  'GET /contacts/export': { access: 'member' },
  'POST /contacts/export': { access: 'member', body: {} },
  'GET /contacts/:id/page': { access: 'member', record: contact },
  'GET /contacts/:id/activities': { access: 'member', record: contact },
  'POST /contacts/:id/activities': { access: 'member', body: { kind: 'note', body: 'A' }, record: contact },
  'PATCH /contacts/:id/activities/:activity_id': { access: 'member', body: { body: 'B' }, record: note },
  'DELETE /contacts/:id/activities/:activity_id': { access: 'member', record: note },
  'GET /views': { access: 'member' },
  'POST /views': { access: 'member', body: { name: 'A', filter: {} } },
  'PATCH /views/:id': { access: 'member', body: { name: 'B' }, record: view },
  'DELETE /views/:id': { access: 'member', record: view },

  'GET /deals': { access: 'member' },
  'GET /deals/board': { access: 'member' },
  'GET /deals/column': { access: 'member' },
  'GET /tasks': { access: 'member' },
  'POST /tasks': { access: 'member', body: { title: 'Eve' } },
  'PATCH /tasks/:id': { access: 'member', body: { title: 'Eve' }, record: task },
  'GET /tasks/groups': { access: 'member' },
  'GET /tasks/group': { access: 'member' },
  'GET /stream': { access: 'member', isStream: true },

  'GET /tokens': { access: 'admin' },
  'POST /tokens': { access: 'admin', body: { name: 'A', scopes: ['read'] } },
  'POST /tokens/:id/revoke': { access: 'admin', record: token },
  'GET /webhooks': { access: 'admin' },
  'POST /webhooks': { access: 'admin', body: WEBHOOK },
  'POST /webhooks/check-url': { access: 'admin', body: { url: 'https://example.com/' } },
  'GET /webhooks/:id': { access: 'admin', record: webhook },
  'PATCH /webhooks/:id': { access: 'admin', body: { note: 'A' }, record: webhook },
  'DELETE /webhooks/:id': { access: 'admin', record: webhook },
  'POST /webhooks/:id/pause': { access: 'admin', record: webhook },
  'POST /webhooks/:id/resume': { access: 'admin', record: webhook },
  'POST /webhooks/:id/secret': { access: 'admin', record: webhook },
  'DELETE /webhooks/:id/secret/old': { access: 'admin', record: webhook },
  'POST /webhooks/:id/test': { access: 'admin', body: { event: 'contact.created' }, record: webhook },
  'GET /webhooks/:id/failed': { access: 'admin', query: 'since=2026-01-01T00:00:00Z', record: webhook },
  'POST /webhooks/:id/send-failed-again': { access: 'admin', body: { since: '2026-01-01T00:00:00Z' }, record: webhook },
  'DELETE /webhooks/:id/send-failed-again': { access: 'admin', record: webhook },
  'GET /webhooks/:id/deliveries': { access: 'admin', record: webhook },
  'GET /contacts/:id/deliveries': { access: 'admin', record: contact },
  'GET /deliveries/:id': { access: 'admin', record: delivery },
  'POST /deliveries/:id/send-again': { access: 'admin', record: delivery },

  'GET /org': { access: 'member' },
  'PATCH /org': { access: 'admin', body: { name: 'Ours' } },
  'POST /org/stages': { access: 'admin', body: {} },
  'GET /org/stages/usage': { access: 'member' },
  'POST /org/labels': { access: 'admin', body: {} },
  'GET /org/labels/usage': { access: 'member' },
  'GET /org/usage': { access: 'member' },

  'GET /imports': { access: 'member' },
  'GET /imports/template.csv': { access: 'member' },
  'POST /imports/upload': { access: 'member', query: 'name=people.csv' },
  'GET /imports/:id': { access: 'member', record: importJob },
  'PATCH /imports/:id': { access: 'member', body: { tag: 'A' }, record: importJob },
  'DELETE /imports/:id': { access: 'member', record: importJob },
  'POST /imports/:id/check': { access: 'member', record: importJob },
  'GET /imports/:id/problems': { access: 'member', record: importJob },
  'PATCH /imports/:id/problems/:row': { access: 'member', body: { cells: ['Ada', ''] }, record: problem },
  'GET /imports/:id/problems.csv': { access: 'member', record: importJob },
  'POST /imports/:id/run': { access: 'member', body: { skip_problems: true }, record: importJob },
  'POST /imports/:id/stop': { access: 'member', record: importJob },
  'POST /imports/:id/continue': { access: 'member', record: importJob },
  'GET /imports/:id/undo-preview': { access: 'member', record: importJob },
  'POST /imports/:id/undo': { access: 'member', record: importJob },
  'POST /sample-data': { access: 'admin' },

  'GET /places/sources': { access: 'member' },
  'GET /places': { access: 'member', query: 'source=overpass&south=42&west=21.4&north=42.01&east=21.41&text=a' },
  'POST /places/upload': { access: 'member', query: 'name=places.csv' },
  'DELETE /places/upload/:id': { access: 'member', record: placesFile },
  'POST /places/add': { access: 'member', body: { source: 'overpass', source_ids: ['node/1'] } },
  'GET /places/contacts': { access: 'member', query: 'south=42&west=21.4&north=42.01&east=21.41' },
  'POST /places/sample': { access: 'admin' },
  'GET /map': { access: 'member' },
}
