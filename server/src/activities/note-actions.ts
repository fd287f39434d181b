/** A contact's history as its page shows it, and what people add to it. None of this is an event of the contract. */
import type { Actor } from '../actor.ts'
import { now, toIso } from '../clock.ts'
import { getContact, lockContact } from '../contacts/actions.ts'
import type { Reader, Tx } from '../database/engine.ts'
import { ApiError, validationError } from '../http/errors.ts'
import { newId } from '../ids.ts'
import { announce } from '../live/announce.ts'
import { isUuid } from '../uuid.ts'
import { authorsOf } from './authors.ts'
import {
  type Activities,
  type Activity,
  type ActivityQuery,
  NOTE_KINDS,
  type NoteInput,
  type NotePatch,
} from './schema.ts'
import {
  activityById,
  activityRows,
  countActivities,
  deleteActivity,
  insertActivities,
  updateActivity,
} from './store.ts'

type Row = NonNullable<Awaited<ReturnType<typeof activityById>>>

/** What has happened with a contact, newest first. @throws ApiError `not_found`; `validation` at `before` */
export async function listActivities(
  db: Reader,
  actor: Actor,
  contactId: string,
  { before, limit }: ActivityQuery,
): Promise<Activities> {
  const key = { orgId: actor.orgId, contactId: (await getContact(db, actor.orgId, contactId)).id }
  const rows = await activityRows(db, key, { before: before === undefined ? undefined : placeOf(before), limit })
  const last = rows.length === limit ? rows.at(-1) : undefined
  return {
    data: await asActivities(db, actor, rows),
    meta: {
      count: await countActivities(db, key.orgId, key.contactId),
      next: last ? `${last.occurred_at}_${last.id}` : null,
    },
  }
}

function placeOf(before: string): { at: string; id: string } {
  const [at = '', id = ''] = before.split('_')
  if (TIME.test(at) && isUuid(id)) return { at, id }
  const message = 'before must be what an earlier answer gave as next.'
  throw validationError([{ path: 'before', code: 'bad_format', message }])
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** How people know an actor: the name of the member, the API key or the imported file. */
export async function nameOfActor(db: Reader, orgId: string, name: string): Promise<string> {
  return (await authorsOf(db, orgId, [name]))(name)
}

/** @throws ApiError `not_found` */
export async function addNote(tx: Tx, actor: Actor, contactId: string, input: NoteInput): Promise<Activity> {
  if (!(await lockContact(tx, actor.orgId, contactId))) throw noSuch('contact')
  const row = {
    id: newId(),
    kind: input.kind,
    body: input.body,
    occurred_at: input.occurred_at ?? toIso(now()),
    actor: actor.name,
  }
  await insertActivities(tx, [{ ...row, org_id: actor.orgId, contact_id: contactId }])
  announce(tx, actor.orgId, 'contact', contactId)
  return asActivity(tx, actor, { ...row, edited_at: null })
}

/** @throws ApiError `not_found`; `forbidden` for what others or the service have written */
export async function changeNote(tx: Tx, actor: Actor, place: NotePlace, patch: NotePatch): Promise<Activity> {
  const { key, row } = await ownNote(tx, actor, place)
  const edited_at = toIso(now())
  await updateActivity(tx, key, { ...patch, edited_at })
  announce(tx, actor.orgId, 'contact', place.contactId)
  return asActivity(tx, actor, { ...row, ...patch, edited_at })
}

/** @throws as `changeNote` */
export async function removeNote(tx: Tx, actor: Actor, place: NotePlace): Promise<void> {
  const { key } = await ownNote(tx, actor, place)
  await deleteActivity(tx, key)
  announce(tx, actor.orgId, 'contact', place.contactId)
}

export interface NotePlace {
  contactId: string
  id: string
}

async function ownNote(tx: Tx, actor: Actor, { contactId, id }: NotePlace) {
  if (!(await lockContact(tx, actor.orgId, contactId))) throw noSuch('contact')
  const key = { orgId: actor.orgId, contactId, id }
  const row = isUuid(id) ? await activityById(tx, key) : undefined
  if (!row) throw noSuch('activity')
  if (!isOwn(actor, row)) throw new ApiError('forbidden', 'Only who has written a note may change or delete it.')
  return { key, row }
}

function noSuch(what: string): ApiError {
  return new ApiError('not_found', `There is no such ${what}.`)
}

function isOwn(actor: Actor, { kind, actor: author }: Row): boolean {
  return author === actor.name && (NOTE_KINDS as readonly string[]).includes(kind)
}

async function asActivity(db: Reader, actor: Actor, row: Row): Promise<Activity> {
  return (await asActivities(db, actor, [row]))[0]!
}

async function asActivities(db: Reader, actor: Actor, rows: Row[]): Promise<Activity[]> {
  const nameOf = await authorsOf(
    db,
    actor.orgId,
    rows.map((row) => row.actor),
  )
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind as Activity['kind'],
    body: row.body,
    occurred_at: row.occurred_at,
    edited_at: row.edited_at,
    author: nameOf(row.actor),
    is_own: isOwn(actor, row),
  }))
}
