import { commandActor } from '../actor.ts'
import { getOrg, withOrg } from '../orgs/actions.ts'
import { text, wholeNumber } from '../settings/value-kinds.ts'
import { type Delivery, listDeliveries, redeliver } from '../webhooks/delivery-actions.ts'
import { defineCommand } from './command.ts'
import { withDatabase } from './database.ts'
import { idArgument, orgOption } from './record-options.ts'
import { type Column, table } from './table.ts'

/** `kith webhook deliveries`: `Delivery[]`. */
export const deliveriesCommand = defineCommand({
  arguments: {},
  options: {
    org: orgOption,
    contact: { kind: text('ID'), meaning: 'Only those about this contact.' },
    subscription: { kind: text('ID'), meaning: 'Only those of this subscription.' },
    limit: { kind: wholeNumber({ min: 1, max: 1000 }), fallback: '50', meaning: 'How many at most.' },
  },
  details: [
    'Lists deliveries, newest first; those of a deleted contact are not among them. Prints [{id, subscription_id, ' +
      'contact_id, event, status, response_status, error, attempts, duration_ms, created_at, finished_at}], where ' +
      'status is pending, delivered or failed.',
  ],
  examples: [
    { command: 'kith webhook deliveries --org ID', does: 'The newest 50.' },
    { command: 'kith webhook deliveries --org ID --contact CONTACT_ID --limit 10', does: 'The newest of a contact.' },
  ],
  async run({ org, contact: contactId, subscription: subscriptionId, limit }, context) {
    await withDatabase(context, async (db) => {
      await getOrg(db.read, org)
      const deliveries = await listDeliveries(db.read, org, { contactId, subscriptionId, limit })
      context.print(deliveries, (style) => table(deliveries, COLUMNS, style))
    })
  },
})

/** `kith webhook redeliver`: `{id, status}`. */
export const redeliverCommand = defineCommand({
  arguments: { id: idArgument('delivery; "kith webhook deliveries" tells') },
  options: { org: orgOption },
  details: [
    'Makes a finished delivery due again: the same bytes under the same id, signed anew. A running server sends it ' +
      'within a second. Prints {id, status}.',
  ],
  examples: [{ command: 'kith webhook redeliver DELIVERY_ID --org ID', does: 'Sends it once more.' }],
  async run({ id, org }, context) {
    await withDatabase(context, async (db) => {
      await withOrg(db, org, (tx) => redeliver(tx, commandActor(org), id))
      context.print({ id, status: 'pending' }, () => `The delivery ${id} is due again.`)
    })
  },
})

const COLUMNS: Column<Delivery>[] = [
  { title: 'ID', value: ({ id }) => id },
  { title: 'EVENT', value: ({ event }) => event },
  { title: 'STATUS', value: ({ status }) => status },
  { title: 'ANSWER', value: (delivery) => delivery.response_status, align: 'right' },
  { title: 'TRIES', value: ({ attempts }) => attempts, align: 'right' },
  { title: 'MS', value: (delivery) => delivery.duration_ms, align: 'right' },
  { title: 'CONTACT', value: (delivery) => delivery.contact_id },
  { title: 'CREATED', value: (delivery) => delivery.created_at },
  { title: 'ERROR', value: ({ error }) => error },
]
