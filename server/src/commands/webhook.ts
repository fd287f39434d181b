import { type Actor, commandActor } from '../actor.ts'
import type { Tx } from '../database/engine.ts'
import { EVENT_NAMES } from '../events/names.ts'
import { getOrg, withOrg } from '../orgs/actions.ts'
import { listOf, oneOf, text } from '../settings/value-kinds.ts'
import {
  createSubscription,
  deleteSubscription,
  listSubscriptions,
  pauseSubscription,
  resumeSubscription,
  rotateSecret,
  type Subscription,
} from '../webhooks/actions.ts'
import { loadSigningKey } from '../webhooks/key-file.ts'
import { defineCommand, type Group } from './command.ts'
import { withDatabase } from './database.ts'
import { Misuse } from './failure.ts'
import { idArgument, orgOption, yesOption } from './record-options.ts'
import { type Column, fields, table } from './table.ts'
import { guardOf } from './webhook-settings.ts'

const SUBSCRIPTION = idArgument('subscription; "kith webhook list" tells')
const SHAPE = '{id, url, events, note, paused_at, old_secret_until, created_at}'

const createCommand = defineCommand({
  arguments: { url: { kind: text('URL'), meaning: 'Where events are posted to: https, a public address.' } },
  options: {
    org: orgOption,
    events: {
      kind: listOf({ ...oneOf(EVENT_NAMES), placeholder: 'EVENT' }),
      isRequired: true,
      meaning: `Which: ${EVENT_NAMES.join(', ')}.`,
    },
    note: { kind: text('TEXT'), meaning: 'What it is for.' },
  },
  details: [
    'Subscribes a URL to events. The signing secret is printed this once: it is stored encrypted with the key in ' +
      'KITH_KEY_FILE. Other than public addresses are refused unless KITH_WEBHOOK_ALLOW names them. Prints ' +
      '{id, url, events, secret}.',
  ],
  examples: [
    {
      command: 'kith webhook create https://example.com/hooks --org ID --events contact.created,deal.stage_changed',
      does: 'Posts new contacts and moved deals there.',
    },
  ],
  async run({ url, org, events, note = null }, context) {
    await withDatabase(context, async (db, config) => {
      const guard = guardOf(config)
      const key = await loadSigningKey(db, config.keyFile)
      const input = { url, events, note }
      const made = await withOrg(db, org, (tx) => createSubscription(tx, commandActor(org), input, { guard, key }))
      context.print(made, (style) => fields(Object.entries(made), style))
      context.tell('Keep the secret now: it is not shown again.')
    })
  },
})

const listCommand = defineCommand({
  arguments: {},
  options: { org: orgOption },
  details: [`Lists an org's subscriptions, oldest first. Prints [${SHAPE}].`],
  examples: [{ command: 'kith webhook list --org ID', does: 'Lists them.' }],
  async run({ org }, context) {
    await withDatabase(context, async (db) => {
      await getOrg(db.read, org)
      const subscriptions = await listSubscriptions(db.read, org)
      context.print(subscriptions, (style) => table(subscriptions, COLUMNS, style))
    })
  },
})

const pauseCommand = changeCommand(
  pauseSubscription,
  'pause',
  'Pauses a subscription: no delivery is made for new events, and what is due waits until it is resumed.',
)

const resumeCommand = changeCommand(
  resumeSubscription,
  'resume',
  'Resumes a paused subscription: what was due is sent now. Events of the pause are not made up for.',
)

const deleteCommand = defineCommand({
  arguments: { id: SUBSCRIPTION },
  options: { org: orgOption, yes: yesOption },
  details: ['Deletes a subscription with what is due and its delivery log, for good. Prints {id, deleted}.'],
  examples: [{ command: 'kith webhook delete WEBHOOK_ID --org ID --yes', does: 'Deletes it.' }],
  async run({ id, org, yes }, context) {
    await withDatabase(context, async (db) => {
      if (!yes) {
        await getOrg(db.read, org)
        const found = (await listSubscriptions(db.read, org)).find((subscription) => subscription.id === id)
        const what = found ? `the subscription of ${found.url}` : `the subscription ${id}`
        throw new Misuse(`This deletes ${what} with what is due and its delivery log. Say --yes to do it.`)
      }
      await withOrg(db, org, (tx) => deleteSubscription(tx, commandActor(org), id))
      context.print({ id, deleted: true }, () => `The subscription ${id} is deleted.`)
    })
  },
})

const rotateCommand = defineCommand({
  arguments: { id: SUBSCRIPTION },
  options: { org: orgOption },
  details: [
    'Gives a subscription a new signing secret, printed this once. The old one goes on for 24 hours: until then ' +
      'X-Service-Signature is made with the old one, webhook-signature with both. Prints ' +
      '{id, secret, old_secret_until}.',
  ],
  examples: [{ command: 'kith webhook rotate WEBHOOK_ID --org ID', does: 'Prints the new secret.' }],
  async run({ id, org }, context) {
    await withDatabase(context, async (db, config) => {
      const key = await loadSigningKey(db, config.keyFile)
      const rotated = await withOrg(db, org, (tx) => rotateSecret(tx, commandActor(org), id, { key }))
      context.print(rotated, (style) => fields(Object.entries(rotated), style))
      context.tell('Keep the secret now: it is not shown again.')
    })
  },
})

function changeCommand(
  change: (tx: Tx, actor: Actor, id: string) => Promise<Subscription>,
  verb: string,
  what: string,
) {
  return defineCommand({
    arguments: { id: SUBSCRIPTION },
    options: { org: orgOption },
    details: [`${what} Prints ${SHAPE}.`],
    examples: [{ command: `kith webhook ${verb} WEBHOOK_ID --org ID`, does: 'Takes effect within a second.' }],
    async run({ id, org }, context) {
      await withDatabase(context, async (db) => {
        const changed = await withOrg(db, org, (tx) => change(tx, commandActor(org), id))
        context.print(changed, (style) => fields(Object.entries(changed), style))
      })
    },
  })
}

const COLUMNS: Column<Subscription>[] = [
  { title: 'ID', value: ({ id }) => id },
  { title: 'URL', value: ({ url }) => url },
  { title: 'EVENTS', value: ({ events }) => events },
  { title: 'NOTE', value: ({ note }) => note },
  { title: 'PAUSED', value: (subscription) => subscription.paused_at },
  { title: 'CREATED', value: (subscription) => subscription.created_at },
]

export const webhookCommands: Group = {
  details: ["Webhooks: what happens in an org, posted to other programs' addresses, signed and never lost."],
  commands: {
    create: { summary: 'Subscribe a URL to events', load: () => createCommand },
    list: { summary: "List an org's subscriptions", load: () => listCommand },
    pause: { summary: 'Stop sending for now', load: () => pauseCommand },
    resume: { summary: 'Send again', load: () => resumeCommand },
    delete: { summary: 'Delete a subscription and its log', load: () => deleteCommand },
    rotate: { summary: 'Make a new signing secret', load: () => rotateCommand },
    deliveries: {
      summary: 'List what was sent and how it ended',
      load: async () => (await import('./webhook-deliveries.ts')).deliveriesCommand,
    },
    redeliver: {
      summary: 'Send a finished delivery again',
      load: async () => (await import('./webhook-deliveries.ts')).redeliverCommand,
    },
  },
  examples: [],
}
