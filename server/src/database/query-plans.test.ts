import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openEngines } from '../../../test/support/databases.ts'
import { CONTACTS, fillWithLargeOrg, idOf, ROWS, timeOf } from '../../../test/support/large-org.ts'
import { type Allowed, type Explained, openExplained, type Query } from '../../../test/support/query-plan.ts'
import { activityRows, countActivities } from '../activities/store.ts'
import { moveCount } from '../contacts/counts.ts'
import { contactsAfter, contactsByIds, countMatching, idsAfter, matching, sortedIds } from '../contacts/grid-store.ts'
import { contactsByPhoneEnd, idsByEmail, idsBySearchText } from '../contacts/match-store.ts'
import { contactSearchPage } from '../contacts/search-store.ts'
import {
  contactById,
  contactForUpdate,
  contactPage,
  deleteContactRows,
  insertContacts,
  lastChanger,
  similarContacts,
  updateContact,
} from '../contacts/store.ts'
import { dealPage, dealsInStage, stageTotals } from '../deals/store.ts'
import { claimKey, keepAnswer, keptAnswer, keysBefore } from '../idempotency/store.ts'
import { addedAmong, changeCounts, changesAfter, keptAdded, keptOf } from '../imports/change-store.ts'
import { jobById, jobsOfFile, recentJobs, rejectPage, rejectsAfter } from '../imports/store.ts'
import { jobsInWork, jobsWithFile, jobsWithRecords } from '../imports/work-store.ts'
import { eventsAfter } from '../live/store.ts'
import { countDue } from '../operations/store.ts'
import { contactsWith } from '../orgs/rename-store.ts'
import {
  contactsInBox,
  contactsInStrips,
  contactsOfPlaces,
  contactsOfWebsites,
  placeContactIds,
  placesOfContacts,
} from '../prospecting/contact-place-store.ts'
import { stripsAround } from '../prospecting/position.ts'
import { windowOf } from '../rate-limit/store.ts'
import { eraseUsageBefore, usageByMinute, usageByToken } from '../rate-limit/usage-store.ts'
import { hasEndedSessions, sessionByHash, sessionRows, sessionsAmong } from '../sessions/store.ts'
import { groupCounts, groupPage, openTaskCounts, taskForUpdate, taskPage } from '../tasks/store.ts'
import { TASK_GROUPS } from '../tasks/ui-schema.ts'
import { tokenByHash } from '../tokens/store.ts'
import {
  attemptRows,
  countFailed,
  countOfContact,
  deliveryRows,
  failedDeliveries,
  loggedDelivery,
  logRowById,
  logRows,
  makeDueAgain,
} from '../webhooks/delivery-store.ts'
import { busySubscriptions, dueDeliveries, readyDeliveries, readyInLane } from '../webhooks/due-store.ts'
import {
  deletedSubscription,
  deliveriesOf,
  eraseDeliveries,
  eventsBefore,
  finishedBefore,
} from '../webhooks/erasure-store.ts'
import { leasedSubscriptions } from '../webhooks/lease-store.ts'
import { finishDeliveries, lockHeads, promoteNext } from '../webhooks/outcome-store.ts'
import { activeQueues, activeSubscriptions, newestUnfinished, promoteLane } from '../webhooks/queue-store.ts'
import { dueSendAgain } from '../webhooks/send-again-store.ts'

/** More than a page of 50 with its neighbours in an index, far less than the rows of an org. */
const ROWS_LOOKED_AT_MAX = 400

const orgId = idOf('org', 0)
const contact = { orgId, id: idOf('contact', 40) }
const task = { orgId, id: idOf('task', 40) }
const subscriptionId = idOf('subscription', 1)
const page = { limit: 50, offset: 0 }
const BEFORE = timeOf(3_000)
const queue = { orgId, subscriptionId, queueKey: idOf('contact', 1) }
const deliveryKeys = [
  { org_id: orgId, id: idOf('delivery', 1) },
  { org_id: orgId, id: idOf('delivery', 5) },
]

const importKey = { orgId, id: idOf('import', 1) }
const newContact = {
  ...{ org_id: orgId, id: idOf('contact', 2 * ROWS), full_name: 'Bo', company: null, email: null, phone: null },
  ...{ location: null, deal_stage: null, deal_value: null, label: null, tags: '[]', search_text: 'bo' },
  ...{ last_event_at: BEFORE, created_at: BEFORE, updated_at: BEFORE },
}

const DAYS = {
  now: '2026-04-01T00:00:00.000Z',
  tomorrow: '2026-04-02T00:00:00.000Z',
  week_end: '2026-04-08T00:00:00.000Z',
}

/** Pages of all that an org has, in the order of an index. */
const PAGES: Record<string, Query> = {
  'contacts, newest first': (tx) => contactPage(tx, { orgId }, page),
  'deals, the most valuable first': (tx) => dealPage(tx, orgId, page),
  'tasks by due time': (tx) => taskPage(tx, orgId, page),
  'contacts far down': (tx) => contactPage(tx, { orgId }, { limit: 50, offset: ROWS - 200 }),
  'deals far down': (tx) => dealPage(tx, orgId, { limit: 50, offset: ROWS - 200 }),
  'tasks far down': (tx) => taskPage(tx, orgId, { limit: 50, offset: ROWS - 200 }),
  'active subscriptions': (tx) => activeSubscriptions(tx, { orgId }),
  'contacts by name': (tx) => sortedIds(tx, orgId, {}, 'name', page),
  'contacts by name, descending': (tx) => sortedIds(tx, orgId, {}, '-name', page),
  'contacts by company': (tx) => sortedIds(tx, orgId, {}, '-company', page),
  'contacts by value': (tx) => sortedIds(tx, orgId, {}, '-value', page),
  'contacts of some stages with a label': (tx) =>
    sortedIds(tx, orgId, { stages: ['won'], labels: ['hot'] }, 'created', page),
  'contacts by their last change': (tx) => sortedIds(tx, orgId, {}, '-updated', page),
  'contacts of all kinds, to be changed or exported': (tx) => idsAfter(tx, orgId, {}, { after: contact.id, limit: 50 }),
  'the newest imports': (tx) => recentJobs(tx, orgId, 50),
  'imports of a file': (tx) => jobsOfFile(tx, { orgId, hash: 'hash 5' }),
  'tasks of the group cancelled': (tx) => groupPage(tx, { orgId, ...DAYS }, 'cancelled', page),
  'the newest deliveries': (tx) => deliveryRows(tx, orgId, { limit: 50 }),
}

const QUERIES: Record<string, Query> = {
  'a contact by id': (tx) => contactById(tx, contact),
  'a contact to change': (tx) => contactForUpdate(tx, contact),
  'a contact and all of it, to delete': (tx) => deleteContactRows(tx, contact, BEFORE),
  'a contact to change and to find by its new name': (tx) =>
    updateContact(tx, contact, { full_name: 'Bo', search_text: 'bo', updated_by: 'x' }),
  'contacts to add': (tx) => insertContacts(tx, [newContact]),
  'how many contacts of a stage and label there are, after a change': (tx) =>
    moveCount(tx, orgId, { deal_stage: 'won', label: 'hot' }, { deal_stage: 'lead', label: null }),
  'who changed a contact last': (tx) => lastChanger(tx, contact),
  'contacts that a file may repeat': async (tx) => {
    await idsByEmail(tx, orgId, ['ada.41@example.com'])
    await idsBySearchText(tx, orgId, ['ada 40\u001f'])
  },
  'contacts with a stage that was renamed': (tx) =>
    contactsWith(tx, { org_id: orgId, field: 'deal_stage', old_value: 'won', new_value: 'x', actor: 'x' }, 50),
  'contacts of an import': (tx) => sortedIds(tx, orgId, { import_id: importKey.id }, 'created', page),
  'contacts to export, of those with a text': (tx) =>
    contactsAfter(tx, orgId, { q: 'zoe' }, { after: contact.id, limit: 50 }),
  'contacts of a stage': (tx) => contactPage(tx, { orgId, stage: 'won' }, page),
  'contacts with a label': (tx) => contactPage(tx, { orgId, label: 'hot' }, page),
  'contacts of a stage with a label': (tx) => contactPage(tx, { orgId, stage: 'won', label: 'hot' }, page),
  'contacts by a text of three characters': (tx) => contactSearchPage(tx, 'zoe', { orgId }, page),
  'how many contacts have a text': (tx) => countMatching(tx, orgId, { q: 'zoe' }),
  'contacts by a text, in the order of their companies': (tx) =>
    sortedIds(tx, orgId, { q: 'zoe quill' }, 'company', page),
  'contacts by their ids': (tx) => contactsByIds(tx, orgId, [contact.id, idOf('contact', 41)]),
  'which of some contacts match': (tx) => matching(tx, orgId, { stages: ['won'] }, [contact.id, idOf('contact', 41)]),
  'contacts that another may repeat': (tx) =>
    similarContacts(tx, orgId, { texts: ['ada 40\u001f'], email: 'Ada.41@example.com', limit: 5 }),
  'contacts that places are by their ids, telephones, websites and positions': async (tx) => {
    await contactsOfPlaces(tx, orgId, [{ origin: 'osm', source_id: 'node/40' }])
    await contactsByPhoneEnd(tx, orgId, ['0000041'])
    await contactsOfWebsites(tx, orgId, [{ source_id: 'node/1', website_key: '41.example.com', south: 42, north: 43 }])
    await contactsInStrips(tx, orgId, stripsAround([{ latitude: 42.04, longitude: 21 }], 150))
  },
  'the places of contacts': (tx) => placesOfContacts(tx, orgId, [contact.id, idOf('contact', 41)]),
  'contacts with a place': (tx) => placeContactIds(tx, orgId, { after: contact.id, limit: 50 }),
  'contacts on a part of the map': (tx) =>
    contactsInBox(tx, orgId, { south: 42.04, west: 20, north: 42.05, east: 22, bands: [21_020, 21_025], limit: 50 }),
  'a task to change': (tx) => taskForUpdate(tx, task),
  'tasks of a status': (tx) => taskPage(tx, orgId, { ...page, status: 'open' }),
  'deals of a stage, the most valuable first': (tx) => dealsInStage(tx, { orgId, text: '' }, 'won', page),
  ...Object.fromEntries(
    TASK_GROUPS.filter((group) => group !== 'cancelled').map((group): [string, Query] => [
      `tasks of the group ${group}`,
      (tx) => groupPage(tx, { orgId, ...DAYS }, group, page),
    ]),
  ),
  'open tasks of contacts': (tx) =>
    openTaskCounts(tx, { orgId, contactIds: [idOf('contact', 4), idOf('contact', 8)], at: BEFORE }),
  'events after one': (tx) => eventsAfter(tx, { seq: ROWS - 1_000, max: 50 }),
  'sessions that are open': (tx) => sessionsAmong(tx, [{ org_id: orgId, id: idOf('session', 1) }]),
  'a session by its hash': (tx) => sessionByHash(tx, { hash: 'hash 0 40' }),
  'sessions that have ended': (tx) => hasEndedSessions(tx, { createdAt: BEFORE, lastUsedAt: BEFORE }),
  'a token by its hash': (tx) => tokenByHash(tx, { hash: 'hash 0 40' }),
  'the ends of all queues of a contact': (tx) => activeQueues(tx, queue),
  'the end of a queue': (tx) => newestUnfinished(tx, queue),
  'subscriptions with something ready': (tx) => busySubscriptions(tx, { max: 10 }),
  'what a subscription has ready': (tx) =>
    readyDeliveries(tx, { org_id: orgId, subscription_id: subscriptionId, max: 50 }),
  'what a subscription has ready from one place on': (tx) =>
    readyInLane(tx, { org_id: orgId, subscription_id: subscriptionId, lane: 0, fromSeq: ROWS / 2, max: 50 }),
  'the heads of queues, to hold': (tx) =>
    lockHeads(tx, [{ org_id: orgId, subscription_id: subscriptionId, queue_key: idOf('contact', 1) }]),
  'deliveries to send': (tx) => dueDeliveries(tx, deliveryKeys),
  'outcomes to record': (tx) => finishDeliveries(tx, deliveryKeys.map(delivered)),
  'the next of a queue': (tx) =>
    promoteNext(tx, [{ org_id: orgId, subscription_id: subscriptionId, queue_key: idOf('contact', 1) }]),
  'deliveries about a contact': (tx) => deliveryRows(tx, orgId, { contactId: contact.id, limit: 50 }),
  'deliveries of a subscription': (tx) => deliveryRows(tx, orgId, { subscriptionId, limit: 50 }),
  'failed deliveries of a subscription of one event': (tx) =>
    logRows(tx, orgId, {
      subscriptionId,
      states: ['failed'],
      event: 'contact.updated',
      fromId: idOf('delivery', 0),
      limit: 50,
    }),
  'deliveries about a contact of one subscription': (tx) =>
    logRows(tx, orgId, { contactId: contact.id, subscriptionId, states: ['failed'], limit: 50 }),
  'a delivery to send again': async (tx) => {
    await loggedDelivery(tx, { orgId, id: idOf('delivery', 9) })
    await makeDueAgain(tx, { orgId, id: idOf('delivery', 9) }, { state: 'queued', lane: 0 })
    await promoteLane(tx, { ...queue, lane: 0 })
  },
  'how many deliveries are about a contact': (tx) => countOfContact(tx, orgId, contact.id),
  'one delivery with its attempts': async (tx) => {
    await logRowById(tx, { orgId, id: idOf('delivery', 1) })
    await attemptRows(tx, { orgId, id: idOf('delivery', 1) })
  },
  'the oldest failed deliveries behind one': (tx) =>
    failedDeliveries(tx, {
      orgId,
      subscriptionId,
      afterId: idOf('delivery', 0),
      untilId: idOf('delivery', ROWS),
      max: 50,
    }),
  'deliveries to erase': (tx) => finishedBefore(tx, BEFORE, 50),
  'deliveries of a deleted subscription': (tx) => deliveriesOf(tx, { org_id: orgId, id: subscriptionId }, 50),
  'deliveries with their attempts and events, to erase': (tx) => eraseDeliveries(tx, deliveryKeys),
  'events to erase': (tx) =>
    eventsBefore(tx, BEFORE, { after: { ts: '2026-04-01T00:00:00.000Z', id: orgId }, max: 50 }),
  'a deleted subscription': (tx) => deletedSubscription(tx),
  'an import and what it has rejected': async (tx) => {
    await jobById(tx, importKey)
    await rejectPage(tx, importKey, page)
    await rejectsAfter(tx, importKey, ROWS / 10, 50)
  },
  'what an import has done': async (tx) => {
    await changesAfter(tx, importKey, { after: contact.id, limit: 50 })
    await addedAmong(tx, importKey, [contact.id])
    await keptOf(tx, importKey, [idOf('contact', 201), idOf('contact', 202)])
    await keptAdded(tx, importKey, 5)
    await changeCounts(tx, importKey)
  },
  'imports to forget': async (tx) => {
    await jobsWithFile(tx, 50)
    await jobsWithRecords(tx, BEFORE, 50)
  },
  'the answer that a key has': async (tx) => {
    const key = { orgId, tokenId: idOf('token', 1), key: 'key 5' }
    const answer = { contact_id: null, location: null, answer: null }
    const row = { org_id: orgId, token_id: key.tokenId, key: key.key, request_hash: 'x', created_at: BEFORE, ...answer }
    await claimKey(tx, row)
    await keptAnswer(tx, key)
    await keepAnswer(tx, key, answer)
  },
  'requests of the last hour, of all tokens': (tx) => usageByMinute(tx, { orgId, fromMinute: ROWS / 10 - 60 }),
  'requests counted long ago': (tx) => eraseUsageBefore(tx, 5),
  'the subscriptions of a dispatcher': (tx) => leasedSubscriptions(tx, { owner: 'x' }),
  'a failed delivery whose turn has come': (tx) => dueSendAgain(tx, BEFORE),
  'answers to forget': (tx) => keysBefore(tx, BEFORE, 50),
}

/** Few rows, of a contact, a member or an hour, which are sorted when they are there. */
const SORTED: Record<string, Query> = {
  'the history of a contact': async (tx) => {
    await activityRows(tx, { orgId, contactId: contact.id }, { before: { at: BEFORE, id: contact.id }, limit: 50 })
    await countActivities(tx, orgId, contact.id)
  },
  'imports to work on': (tx) => jobsInWork(tx),
  'the sessions of a member': (tx) => sessionRows(tx, { orgId, memberId: idOf('member', 1) }),
  'requests of the last hour, by token': (tx) => usageByToken(tx, { orgId, fromMinute: ROWS / 10 - 60 }),
}

/** Counts and totals, which go through all that match, and pages in the middle, which go through those before. */
const LONG: Record<string, [rows: number, query: Query]> = {
  'contacts in the middle': [ROWS / 2, (tx) => contactPage(tx, { orgId }, { limit: 50, offset: ROWS / 2 - 100 })],
  'contacts by a text, of a stage': [
    ROWS / 100,
    (tx) => contactSearchPage(tx, 'zoe quill', { orgId, stage: 'won' }, page),
  ],
  'deals by a text, and what each stage has of them': [
    ROWS / 100,
    async (tx) => {
      await dealsInStage(tx, { orgId, text: 'zoe' }, 'won', page)
      await stageTotals(tx, { orgId, text: 'zoe' })
    },
  ],
  'contacts with a frequent text': [CONTACTS, (tx) => contactSearchPage(tx, 'ada', { orgId }, page)],
  'contacts with a long text that most have': [CONTACTS, (tx) => contactSearchPage(tx, 'firm ', { orgId }, page)],
  'contacts with a frequent text, of a stage': [
    ROWS,
    (tx) => contactSearchPage(tx, 'ada', { orgId, stage: 'lead' }, page),
  ],
  'contacts with a text of two characters': [ROWS, (tx) => contactSearchPage(tx, 'zo', { orgId }, page)],
  'contacts of a small org with a frequent text': [
    1_000,
    (tx) => contactSearchPage(tx, 'ada', { orgId: idOf('org', 5) }, page),
  ],
  'how many contacts have a frequent text': [CONTACTS, (tx) => countMatching(tx, orgId, { q: 'ada' })],
  'how many requests an hour has had': [3_600, (tx) => windowOf(tx, { orgId, oldestMax: 50 })],
  'how many contacts have a tag': [ROWS, (tx) => countMatching(tx, orgId, { tag: 'vip' })],
  'contacts with a tag, by name': [ROWS, (tx) => sortedIds(tx, orgId, { tag: 'vip' }, 'name', page)],
  'contacts with a frequent text, by value': [ROWS, (tx) => sortedIds(tx, orgId, { q: 'ada' }, '-value', page)],
  'what all stages have': [ROWS, (tx) => stageTotals(tx, { orgId, text: '' })],
  'how many tasks each group has': [ROWS / 2, (tx) => groupCounts(tx, { orgId, ...DAYS }, TASK_GROUPS)],
  'how many deliveries are due': [ROWS / 25, (tx) => countDue(tx)],
  'how many deliveries of a subscription have failed': [
    ROWS / 4,
    (tx) => countFailed(tx, { orgId, subscriptionId, fromId: idOf('delivery', 0) }),
  ],
}

const rowsMax = ROWS_LOOKED_AT_MAX
const CASES: { what: string; query: Query; allowed: Allowed }[] = [
  ...Object.entries(PAGES).map(([what, query]) => ({ what, query, allowed: { rowsMax, isWholeOrg: true } })),
  ...Object.entries(QUERIES).map(([what, query]) => ({ what, query, allowed: { rowsMax } })),
  ...Object.entries(SORTED).map(([what, query]) => ({ what, query, allowed: { rowsMax, isSorted: true } })),
  ...Object.entries(LONG).map(([what, [rows, query]]) => {
    return { what, query, allowed: { rowsMax: rows + rowsMax, isWholeOrg: true } }
  }),
]

const prepared: { name: string; explained: Explained }[] = []
// One after the other: SQLite fills its file on this thread, and a connection that is not looked at counts as lost.
for (const { name, db, store } of await openEngines({ after })) {
  await fillWithLargeOrg(db)
  const explained = await openExplained(store)
  after(() => explained.close())
  prepared.push({ name, explained })
}

for (const { name, explained } of prepared) {
  for (const { what, query, allowed } of CASES) {
    test(`${name}: ${what}: an index leads to every row`, async () => {
      const faults = await explained.faultsOf(query, allowed)
      assert.ok(faults.length === 0, faults.join('\n'))
    })
  }
}

function delivered({ org_id, id }: { org_id: string; id: string }) {
  const outcome = { response_status: 200, error: null, duration_ms: 5, finished_at: BEFORE }
  return { org_id, id, state: 'delivered' as const, ...outcome }
}
