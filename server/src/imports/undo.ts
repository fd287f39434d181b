/** Takes back what an import has done, but for what people have done with it since. */
import { now, toIso } from '../clock.ts'
import { changeContact, deleteContact, getContact, lockContact } from '../contacts/actions.ts'
import type { Contact, ContactInput } from '../contacts/schema.ts'
import type { Database, Tx } from '../database/engine.ts'
import { ApiError } from '../http/errors.ts'
import { eraseTaskUnlessChanged } from '../tasks/actions.ts'
import {
  BEFORE_ALL,
  type ContactChange,
  changeCounts,
  changesAfter,
  editedSince,
  eraseChanges,
  eraseImportTasks,
  keptAdded,
  keptOf,
  tasksOf,
} from './change-store.ts'
import { type Doing, finish, requireOwn } from './doing.ts'
import { importActor } from './job.ts'
import type { UndoCounts } from './schema.ts'
import type { ImportKey } from './store.ts'
import { keyOf } from './stored-file.ts'
import { Turns } from './turns.ts'
import type { KeptContact, UndoPreview } from './ui-schema.ts'
import { noteUndone } from './work-store.ts'

const AT_ONCE = 50

/**
 * Removes the contacts that the import added and puts back what it changed of others, with the events of any removal
 * and change. A contact that somebody has changed since, or that has a history or tasks by now, stays; of a changed one
 * the fields stay that somebody has set since.
 *
 * Each batch takes its changes out of the list, so that whoever goes on begins where the list does.
 */
export async function* undoImport(doing: Doing): AsyncGenerator<void> {
  const { db, job, owner, tell } = doing
  const key = keyOf(job)
  const turns = new Turns(db.engine)
  yield* eraseTasks(doing)
  let counts: UndoCounts = job.undone ? JSON.parse(job.undone) : { removed: 0, restored: 0, kept: 0 }
  for (;;) {
    const changes = await changesAfter(db.read, key, { after: BEFORE_ALL, limit: AT_ONCE })
    if (changes.length === 0) break
    counts = await db.write(async (tx) => {
      const after = await undoSome(tx, key, { changes, counts, turns })
      requireOwn(await noteUndone(tx, key, owner, JSON.stringify(after)))
      tell(tx)
      return after
    })
    yield
    await turns.next()
  }
  await finish(doing, { state: 'undone', undone: JSON.stringify(counts), finished_at: toIso(now()) })
}

async function* eraseTasks({ db, job, owner }: Doing): AsyncGenerator<void> {
  const key = keyOf(job)
  for (;;) {
    const tasks = await tasksOf(db.read, key, AT_ONCE)
    if (tasks.length === 0) return
    const ids = tasks.map(({ taskId }) => taskId)
    await db.write(async (tx) => {
      requireOwn(await noteUndone(tx, key, owner, job.undone ?? JSON.stringify({ removed: 0, restored: 0, kept: 0 })))
      await eraseImportTasks(tx, key, ids)
      for (const { taskId: id, at } of tasks) await eraseTaskUnlessChanged(tx, key.orgId, { id, at })
    })
    yield
  }
}

interface Some {
  changes: readonly ContactChange[]
  counts: UndoCounts
  turns: Turns
}

async function undoSome(tx: Tx, key: ImportKey, { changes, counts, turns }: Some): Promise<UndoCounts> {
  turns.begin()
  const added = changes.filter(({ kind }) => kind === 'added').map(({ contactId }) => contactId)
  const kept = added.length > 0 ? await keptOf(tx, key, added) : new Set<string>()
  const after = { ...counts }
  const done: string[] = []
  for (const change of changes) {
    after[await undoOne(tx, key, change, kept.has(change.contactId))]++
    done.push(change.contactId)
    if (turns.isUp) break
  }
  await eraseChanges(tx, key, done)
  return after
}

async function undoOne(tx: Tx, key: ImportKey, change: ContactChange, isKept: boolean): Promise<keyof UndoCounts> {
  const actor = importActor(key)
  if (isKept) return 'kept'
  if (change.kind === 'added') {
    // Looked up anew under its lock: somebody may have changed it since it was found unchanged.
    if (!(await lockContact(tx, key.orgId, change.contactId))) return 'removed'
    const { updated_at } = await getContact(tx, key.orgId, change.contactId)
    if (updated_at !== change.at) return 'kept'
    await deleteContact(tx, actor, change.contactId)
    return 'removed'
  }
  if (!(await lockContact(tx, key.orgId, change.contactId))) return 'kept'
  const { patch } = restoring(await getContact(tx, key.orgId, change.contactId), change)
  if (Object.keys(patch).length === 0) return 'kept'
  try {
    await changeContact(tx, actor, change.contactId, patch)
    return 'restored'
  } catch (error) {
    // What it was is not allowed any more: a stage that is gone, or no name would remain.
    if (error instanceof ApiError && error.code === 'validation') return 'kept'
    throw error
  }
}

/** @returns what puts back the fields that nobody has set since, and the fields that somebody has */
export function restoring(
  contact: Contact,
  { before, after }: Pick<ContactChange, 'before' | 'after'>,
): { patch: ContactInput; edited: string[] } {
  const patch: Record<string, unknown> = {}
  const edited: string[] = []
  for (const [field, value] of Object.entries(after ?? {})) {
    if (isSame(contact[field as keyof Contact], value)) patch[field] = before?.[field] ?? null
    else edited.push(field)
  }
  return { patch, edited }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

const KEPT_SHOWN = 100
/** Of a very large import whose contacts have nearly all been edited since, only so many are looked through. */
const EDITED_MAX = 1_000

/** What `undoImport` would do now. */
export async function previewUndo(db: Database, key: ImportKey): Promise<UndoPreview> {
  const counts = await changeCounts(db.slow, key)
  const added = await keptAdded(db.slow, key, KEPT_SHOWN)
  const updated = await editedContacts(db, key)
  const keptWhole = updated.filter(({ isWhole }) => isWhole).length
  const kept: KeptContact[] = [
    ...updated.map(({ contact }) => contact),
    ...added.map(({ id, full_name, company, is_edited }) => ({
      contact_id: id,
      name: full_name ?? company ?? '',
      because: is_edited ? ('edited' as const) : ('used' as const),
      fields: [],
    })),
  ]
  return {
    removed: counts.added - counts.added_kept,
    restored: counts.updated - keptWhole,
    kept: kept.slice(0, KEPT_SHOWN),
    kept_count: updated.length + counts.added_kept,
  }
}

async function editedContacts(db: Database, key: ImportKey): Promise<{ contact: KeptContact; isWhole: boolean }[]> {
  const found: { contact: KeptContact; isWhole: boolean }[] = []
  for (const change of await editedSince(db.slow, key, { after: BEFORE_ALL, limit: EDITED_MAX })) {
    const contact = await getContact(db.read, key.orgId, change.contactId).catch(() => undefined)
    if (!contact) continue
    const { patch, edited } = restoring(contact, change)
    if (edited.length === 0) continue
    const { id, full_name, company } = contact
    const kept = { contact_id: id, name: full_name ?? company ?? '', because: 'edited' as const, fields: edited }
    found.push({ contact: kept, isWhole: Object.keys(patch).length === 0 })
  }
  return found
}
