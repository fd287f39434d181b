import { commandActor } from '../actor.ts'
import { createContact } from '../contacts/actions.ts'
import type { Contact } from '../contacts/schema.ts'
import type { Tx } from '../database/engine.ts'
import { demoContacts, demoTasksAbout } from '../imports/sample-data.ts'
import { createOrg, getOrg } from '../orgs/actions.ts'
import { loadSamplePlaces } from '../prospecting/sample-actions.ts'
import { ownBaseUrl } from '../settings/own-address.ts'
import { text } from '../settings/value-kinds.ts'
import { changeTask, createTask } from '../tasks/actions.ts'
import { createToken } from '../tokens/actions.ts'
import { defineCommand } from './command.ts'
import { withNewDatabase } from './database.ts'
import { fields } from './table.ts'

/** `kith demo`: `{org_id, contacts, tasks, places, token, try}`, `try` being shell lines. */
export const demoCommand = defineCommand({
  arguments: {},
  options: { org: { kind: text('ID'), meaning: 'Fill this org; without it a new one named Demo is made.' } },
  details: [
    'Adds 100 made-up contacts, most of them deals, and 20 tasks, the way a program would: events are emitted and ' +
      'webhooks called. Loads 51 real places of Skopje (© OpenStreetMap contributors, ODbL) to be found on the map. ' +
      'Prints a token and calls to try: {org_id, contacts, tasks, places, token, try}.',
  ],
  examples: [
    { command: 'kith demo', does: 'Makes the org Demo.' },
    { command: 'kith demo --org ID --json', does: 'Fills an org that is there.' },
  ],
  async run({ org }, context) {
    await withNewDatabase(context, async (db, { http }) => {
      const made = await db.write((tx) => fill(tx, org))
      const { places } = await loadSamplePlaces(db)
      const baseUrl = http.baseUrl ?? ownBaseUrl(http, http.port)
      const calls = callsToTry(baseUrl, made)
      context.print({ ...made, contacts: made.contacts.length, places, try: calls }, (style) =>
        [
          fields(
            [
              ['org', made.org_id],
              ['contacts', made.contacts.length],
              ['tasks', made.tasks],
              ['places to find on the map', places],
              ['token', made.token],
            ],
            style,
          ),
          '',
          style.bold(`With "kith serve" running at ${baseUrl}, try:`),
          ...calls.map((call) => `  ${call}`),
        ].join('\n'),
      )
    })
  },
})

interface Demo {
  org_id: string
  contacts: Contact[]
  tasks: number
  token: string
}

async function fill(tx: Tx, orgId: string | undefined): Promise<Demo> {
  const org = orgId === undefined ? await createOrg(tx, { name: 'Demo' }) : await getOrg(tx, orgId)
  const actor = commandActor(org.id)
  const contacts: Contact[] = []
  for (const input of demoContacts()) contacts.push(await createContact(tx, actor, input))
  let tasks = 0
  for (const { input, isDone } of contacts.flatMap(demoTasksAbout)) {
    const { id } = await createTask(tx, actor, input)
    if (isDone) await changeTask(tx, actor, id, { status: 'done' })
    tasks++
  }
  const { token } = await createToken(tx, actor, { name: 'Demo', scopes: ['read', 'write'] })
  return { org_id: org.id, contacts, tasks, token }
}

function callsToTry(baseUrl: string, { contacts, token }: Demo): string[] {
  const curl = `curl -H 'Authorization: Bearer ${token}'`
  const json = `-H 'Content-Type: application/json'`
  const api = `${baseUrl}/api/v1`
  return [
    `${curl} '${api}/contacts?q=ost&limit=5'`,
    `${curl} '${api}/deals'`,
    `${curl} ${json} -d '{"full_name":"Robin Sample","deal_stage":"lead"}' '${api}/contacts'`,
    `${curl} ${json} -X PATCH -d '{"deal_stage":"won"}' '${api}/contacts/${contacts[0]!.id}'`,
  ]
}
