/** One change of many contacts: each goes through the action that changes one, so rules and events are the same. */
import type { Actor } from '../actor.ts'
import type { Database, Tx } from '../database/engine.ts'
import { ApiError, validationError } from '../http/errors.ts'
import { requireStage } from '../orgs/actions.ts'
import { createTask } from '../tasks/actions.ts'
import { changeContact, deleteContact, getContact } from './actions.ts'
import type { BulkLine, BulkRequest, ContactsChange } from './bulk-schema.ts'
import { matching } from './grid-store.ts'
import type { Contact, ContactInput } from './schema.ts'
import { requireSelection, selectedIds } from './selection.ts'

const BATCH_MAX = 200
const FIRST_BATCH = 20
/** What a batch should take: on SQLite nobody else writes meanwhile. */
const BATCH_MS = { sqlite: 10, postgres: 100 }
const FAILED_MAX = 100

/**
 * Begins a change of many contacts. Which ones is settled before it returns; they are changed as its lines are read, in
 * transactions of up to 200. Whoever stops reading stops it, and what is done stays.
 *
 * A contact that is gone by its turn, or matches the filter no more, is passed over; one that has what is to be set
 * already is left as it is, without an event.
 *
 * @throws ApiError `validation`, before anything is changed
 */
export async function changeContacts(
  db: Database,
  actor: Actor,
  request: BulkRequest,
): Promise<AsyncGenerator<BulkLine>> {
  requireSelection(request)
  requireChange(request.change)
  const stage = request.change.set?.deal_stage
  if (stage) await requireStage(db.read, actor.orgId, stage).catch(refuseAt('change/set/'))
  const ids: string[] = []
  for await (const some of selectedIds(db.slow, actor.orgId, request)) for (const id of some) ids.push(id)
  if (request.expected !== undefined && ids.length > request.expected) {
    const message = `These are ${ids.length} contacts by now, not ${request.expected}. Look at them again.`
    throw validationError([{ path: 'expected', code: 'out_of_range', message }])
  }
  return changeInBatches(db, actor, ids, request)
}

function requireChange({ delete: isDeleted, ...others }: ContactsChange): void {
  const count = Object.keys(others).length
  if (!isDeleted && count === 0) {
    throw validationError([{ path: 'change', code: 'required', message: 'change must name what is to be done.' }])
  }
  if (isDeleted && count > 0) {
    const message = 'What is deleted cannot be changed as well.'
    throw validationError([{ path: 'change/delete', code: 'not_allowed', message }])
  }
}

function refuseAt(base: string) {
  return (error: unknown): never => {
    if (!(error instanceof ApiError) || !error.details) throw error
    throw validationError(error.details.map((detail) => ({ ...detail, path: base + detail.path })))
  }
}

async function* changeInBatches(
  db: Database,
  actor: Actor,
  ids: string[],
  { filter, change }: BulkRequest,
): AsyncGenerator<BulkLine> {
  const total = ids.length
  const failed: { id: string; message: string }[] = []
  let failedCount = 0
  let size = FIRST_BATCH
  for (let done = 0; done < total; ) {
    const batch = ids.slice(done, done + size)
    const { refused, ms } = await db.write((tx) =>
      changeBatch(tx, actor, filter ? { ids: batch, filter } : { ids: batch }, change),
    )
    failedCount += refused.length
    failed.push(...refused.slice(0, FAILED_MAX - failed.length))
    done += batch.length
    size = nextSize(batch.length, ms, BATCH_MS[db.engine])
    yield { done, total }
  }
  yield { done: total, total, failed, failed_count: failedCount, ended: true }
}

/** As many as would have taken the time that a batch should take, growing to twice as many at a time. */
function nextSize(size: number, ms: number, wantedMs: number): number {
  return Math.min(BATCH_MAX, size * 2, Math.max(1, Math.floor((size * wantedMs) / Math.max(ms, 0.1))))
}

async function changeBatch(
  tx: Tx,
  actor: Actor,
  { ids, filter }: Pick<BulkRequest, 'filter'> & { ids: string[] },
  change: ContactsChange,
) {
  const startedMs = performance.now()
  const refused: { id: string; message: string }[] = []
  for (const id of filter ? await matching(tx, actor.orgId, filter, ids) : ids) {
    try {
      await changeOne(tx, actor, id, change)
    } catch (error) {
      // The actions refuse before they write anything, so the batch is still whole.
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      if (error.code !== 'not_found') refused.push({ id, message: error.message })
    }
  }
  return { refused, ms: performance.now() - startedMs }
}

async function changeOne(tx: Tx, actor: Actor, id: string, change: ContactsChange): Promise<void> {
  if (change.delete) return deleteContact(tx, actor, id)
  const contact = await getContact(tx, actor.orgId, id)
  const patch = patchOf(contact, change)
  if (Object.keys(patch).length > 0) await changeContact(tx, actor, id, patch)
  if (change.add_task) await createTask(tx, actor, { ...change.add_task, contact_id: id })
}

/** What of a change makes a difference to this contact. */
function patchOf(contact: Contact, { set = {}, add_tag, remove_tag }: ContactsChange): ContactInput {
  const patch: ContactInput = {}
  if (set.deal_stage !== undefined && set.deal_stage !== contact.deal_stage) patch.deal_stage = set.deal_stage
  if (set.label !== undefined && set.label !== contact.label) patch.label = set.label
  const tags = contact.tags.filter((tag) => tag !== remove_tag)
  if (add_tag !== undefined && !tags.includes(add_tag)) tags.push(add_tag)
  if (tags.length > TAGS_MAX) {
    const message = `It has ${contact.tags.length} tags already; more than ${TAGS_MAX} are not kept.`
    throw validationError([{ path: 'tags', code: 'out_of_range', message }])
  }
  if (tags.length !== contact.tags.length || tags.at(-1) !== contact.tags.at(-1)) patch.tags = tags
  return patch
}

/** As of a contact's own schema. */
const TAGS_MAX = 50
