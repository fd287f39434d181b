/** Views of the contacts that members have saved: everybody in the org sees, changes and deletes them. */
import type { Actor } from '../actor.ts'
import { now, toIso } from '../clock.ts'
import type { Reader, Tx } from '../database/engine.ts'
import { ApiError, validationError } from '../http/errors.ts'
import { newId } from '../ids.ts'
import { announce } from '../live/announce.ts'
import { isUuid } from '../uuid.ts'
import type { View, ViewInput, ViewPatch } from './schema.ts'
import { deleteView, insertView, updateView, viewById, viewRows } from './store.ts'

const VIEWS_MAX = 100

/** In the order in which they were saved. */
export function listViews(db: Reader, orgId: string): Promise<View[]> {
  return viewRows(db, orgId)
}

/** @throws ApiError `validation` when the name is taken, or there are 100 */
export async function saveView(tx: Tx, actor: Actor, input: ViewInput): Promise<View> {
  const views = await viewRows(tx, actor.orgId)
  requireFreeName(views, input.name)
  if (views.length >= VIEWS_MAX) {
    const message = `There are ${VIEWS_MAX} saved views. Delete one first.`
    throw validationError([{ path: '', code: 'too_many', message }])
  }
  const { name, filter, sort = '-created', columns = [] } = input
  const view: View = { id: newId(), name, filter, sort, columns }
  await insertView(tx, {
    ...view,
    org_id: actor.orgId,
    filter: JSON.stringify(filter),
    columns: JSON.stringify(columns),
    created_by: actor.name,
    created_at: toIso(now()),
  })
  announce(tx, actor.orgId, 'view', view.id)
  return view
}

/** @throws ApiError `not_found`; `validation` when the name is taken */
export async function changeView(tx: Tx, actor: Actor, id: string, patch: ViewPatch): Promise<View> {
  const key = { orgId: actor.orgId, id }
  const before = isUuid(id) ? await viewById(tx, key) : undefined
  if (!before) throw noSuchView()
  if (patch.name !== undefined && patch.name !== before.name) {
    requireFreeName(await viewRows(tx, actor.orgId), patch.name)
  }
  const view: View = { ...before, ...patch }
  await updateView(tx, key, view)
  announce(tx, actor.orgId, 'view', id)
  return view
}

/** @throws ApiError `not_found` */
export async function removeView(tx: Tx, { orgId }: Actor, id: string): Promise<void> {
  if (!isUuid(id) || !(await deleteView(tx, { orgId, id }))) throw noSuchView()
  announce(tx, orgId, 'view', id)
}

function requireFreeName(views: View[], name: string): void {
  if (views.every((view) => view.name !== name)) return
  throw validationError([{ path: 'name', code: 'not_allowed', message: `There is a view “${name}” already.` }])
}

function noSuchView(): ApiError {
  return new ApiError('not_found', 'There is no such view.')
}
