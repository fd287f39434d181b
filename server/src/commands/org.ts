import { changeOrg, createOrg, listOrgs } from '../orgs/actions.ts'
import type { Org } from '../orgs/schema.ts'
import { listOf, oneOf, text, wholeNumber } from '../settings/value-kinds.ts'
import { defineCommand, type Group } from './command.ts'
import { withDatabase, withNewDatabase } from './database.ts'
import { Misuse } from './failure.ts'
import { idArgument } from './record-options.ts'
import { type Column, fields, table } from './table.ts'

const LIMIT = {
  kind: wholeNumber({ min: 0, max: 1_000_000_000 }),
  meaning: 'Requests that the API lets through in any hour.',
}
const PLANS = ['pro', 'enterprise'] as const

const createCommand = defineCommand({
  arguments: { name: { kind: text('NAME'), meaning: 'Name of the organisation.' } },
  options: {
    plan: { kind: oneOf(PLANS), fallback: 'pro', meaning: 'pro has 5,000 requests an hour, enterprise 50,000.' },
    'hourly-limit': LIMIT,
  },
  details: ['Adds an organisation (org) with the standard pipeline. Prints {id, name, plan, hourly_limit}.'],
  examples: [
    { command: 'kith org create "Acme Ltd"', does: 'Prints the id that the other commands take as --org.' },
    { command: 'kith org create Acme --plan enterprise --json', does: 'The same for a program.' },
  ],
  async run({ name, plan, 'hourly-limit': hourly_limit }, context) {
    await withNewDatabase(context, async (db) => {
      const org = await db.write((tx) => createOrg(tx, { name, plan, hourly_limit }))
      context.print(org, (style) => fields(Object.entries(org), style))
    })
  },
})

const listCommand = defineCommand({
  arguments: {},
  options: {},
  details: ['Lists all orgs, oldest first. Prints [{id, name, plan, hourly_limit}].'],
  examples: [{ command: 'kith org list', does: 'Lists them.' }],
  async run(_given, context) {
    await withDatabase(context, async (db) => {
      const orgs = await listOrgs(db.read)
      context.print(orgs, (style) => table(orgs, COLUMNS, style))
    })
  },
})

const setCommand = defineCommand({
  arguments: { id: idArgument('org') },
  options: {
    plan: { kind: oneOf(PLANS), meaning: 'Another plan, with its limit unless one is given too.' },
    'hourly-limit': LIMIT,
    stages: { kind: listOf(text('STAGE')), meaning: 'The whole pipeline, in order.' },
    'strict-stages': { kind: oneOf(['on', 'off']), meaning: 'With on, a deal takes only stages of the pipeline.' },
  },
  details: [
    'Changes what is given, in effect within a second, also on servers that are running. Deals keep their stage when ' +
      'it leaves the pipeline. Prints {id, name, plan, hourly_limit}.',
  ],
  examples: [
    { command: 'kith org set ID --hourly-limit 20000', does: 'Gives an org another limit.' },
    { command: 'kith org set ID --stages lead,won,lost --strict-stages on', does: 'Fixes its pipeline.' },
  ],
  async run({ id, plan, 'hourly-limit': hourly_limit, stages, 'strict-stages': strict }, context) {
    const change = { plan, hourly_limit, stages, strict_stages: strict && strict === 'on' }
    if (Object.values(change).every((value) => value === undefined)) {
      throw new Misuse('Say what to change: --plan, --hourly-limit, --stages or --strict-stages.')
    }
    await withDatabase(context, async (db) => {
      const org = await db.write((tx) => changeOrg(tx, id, change))
      context.print(org, (style) => fields(Object.entries(org), style))
    })
  },
})

const COLUMNS: Column<Org>[] = [
  { title: 'ID', value: ({ id }) => id },
  { title: 'NAME', value: ({ name }) => name },
  { title: 'PLAN', value: ({ plan }) => plan },
  { title: 'HOURLY LIMIT', value: (org) => org.hourly_limit, align: 'right' },
]

export const orgCommands: Group = {
  details: ['Organisations: each has its own contacts, deals, tasks, members, tokens and webhooks.'],
  commands: {
    create: { summary: 'Add an org', load: () => createCommand },
    list: { summary: 'List all orgs', load: () => listCommand },
    set: { summary: "Change an org's plan, limit or pipeline", load: () => setCommand },
  },
  examples: [],
}
