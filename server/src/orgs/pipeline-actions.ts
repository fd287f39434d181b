/** The pipeline and the labels, as an admin changes them; a new name moves the contacts that have the old one. */
import { type Actor, LANE_IMPORT } from '../actor.ts'
import { changeContact } from '../contacts/actions.ts'
import type { Database, Reader, Tx } from '../database/engine.ts'
import { hint } from '../database/hints.ts'
import { ApiError, type Detail, validationError } from '../http/errors.ts'
import { announce } from '../live/announce.ts'
import { nameListFaults } from './actions.ts'
import {
  addRenames,
  contactsWith,
  deleteRename,
  firstRename,
  lockRename,
  oldValues,
  type Rename,
  valueCounts,
} from './rename-store.ts'
import type { Label, NamedCount, Stage } from './schema.ts'
import { labelRows, putLabels, putStages, stageRows } from './store.ts'
import type { LabelsInput, StagesInput } from './ui-schema.ts'

/** What is hinted at when contacts are to be moved. */
export const RENAMES_TOPIC = 'renames'

const BATCH_MAX = 50

/**
 * Sets the whole pipeline. A stage that says what it `was` keeps its contacts: they are moved one by one, with their
 * events, from now on and whoever goes away meanwhile. Contacts of a stage that is left out keep its name.
 *
 * @returns the pipeline, and how many contacts are being moved
 * @throws ApiError `validation`
 */
export async function setStages(
  tx: Tx,
  actor: Actor,
  { stages: wanted }: StagesInput,
): Promise<{ stages: Stage[]; moving: number }> {
  const names = wanted.map(({ name }) => name)
  const moving = await rename(tx, actor, 'deal_stage', { wanted, before: await stageRows(tx, actor.orgId) }, [
    ...nameListFaults(names, { path: 'stages', noun: 'stage', min: 1 }),
  ])
  const stages = wanted.map(({ name, color, probability = null }) => ({ name, color, probability }))
  await putStages(tx, actor.orgId, stages)
  announce(tx, actor.orgId, 'org', null)
  return { stages, moving }
}

/** The same for the labels that are offered. @throws ApiError `validation` */
export async function setLabels(
  tx: Tx,
  actor: Actor,
  { labels: wanted }: LabelsInput,
): Promise<{ labels: Label[]; moving: number }> {
  const names = wanted.map(({ name }) => name)
  const moving = await rename(tx, actor, 'label', { wanted, before: await labelRows(tx, actor.orgId) }, [
    ...nameListFaults(names, { path: 'labels', noun: 'label', min: 0 }),
  ])
  const labels = wanted.map(({ name, color }) => ({ name, color }))
  await putLabels(tx, actor.orgId, labels)
  announce(tx, actor.orgId, 'org', null)
  return { labels, moving }
}

/** How many contacts have each stage, unlisted ones too. */
export function countByStage(db: Reader, orgId: string): Promise<NamedCount[]> {
  return valueCounts(db, orgId, 'deal_stage')
}

/** How many contacts have each label, unlisted ones too. */
export function countByLabel(db: Reader, orgId: string): Promise<NamedCount[]> {
  return valueCounts(db, orgId, 'label')
}

/**
 * Makes the background step that moves one batch of contacts to the new name of their stage or label.
 *
 * @returns a step for `startLoop`, which tells how much it did
 */
export function renameStep(db: Database): () => Promise<number> {
  return async () => {
    const rename = await firstRename(db.read)
    return rename ? db.write((tx) => moveBatch(tx, rename)) : 0
  }
}

async function moveBatch(tx: Tx, found: Rename): Promise<number> {
  const rename = await lockRename(tx, found)
  if (!rename) return 1
  const ids = await contactsWith(tx, rename, BATCH_MAX)
  const actor: Actor = { orgId: rename.org_id, name: rename.actor, lane: LANE_IMPORT }
  for (const id of ids) {
    try {
      await changeContact(tx, actor, id, { [rename.field]: rename.new_value })
    } catch (error) {
      // The pipeline is strict, and the new name has left it meanwhile: the rest keeps the old one.
      if (!(error instanceof ApiError && error.code === 'validation')) throw error
      await deleteRename(tx, rename)
      return 1
    }
  }
  if (ids.length < BATCH_MAX) await deleteRename(tx, rename)
  return ids.length + 1
}

interface Named {
  name: string
  was?: string | undefined
}

interface Change {
  wanted: readonly Named[]
  before: readonly { name: string }[]
}

/** @returns how many contacts are to be moved */
async function rename(
  tx: Tx,
  actor: Actor,
  field: Rename['field'],
  { wanted, before }: Change,
  faults: Detail[],
): Promise<number> {
  const present = new Set(before.map(({ name }) => name))
  const renamed = wanted.filter(({ name, was }) => was !== undefined && was !== name) as Required<Named>[]
  const leaving = new Set(await oldValues(tx, actor.orgId, field))
  const list = field === 'deal_stage' ? 'stages' : 'labels'
  for (const [at, { name, was }] of wanted.entries()) {
    const refuse = (path: string, message: string) =>
      faults.push({ path: `${list}/${at}/${path}`, code: 'not_allowed', message })
    if (leaving.has(name)) refuse('name', `Contacts are still being moved from ${name}; try again in a moment.`)
    if (was === undefined || was === name) continue
    if (!present.has(was)) refuse('was', `There is no ${was} to rename.`)
    if (present.has(name)) refuse('name', `There is a ${name} already.`)
    if (renamed.filter((other) => other.was === was).length > 1 || wanted.some((other) => other.name === was)) {
      refuse('was', `${was} can become one name only.`)
    }
  }
  if (faults.length > 0) throw validationError(faults)
  const counts = new Map((await valueCounts(tx, actor.orgId, field)).map(({ name, contacts }) => [name, contacts]))
  const moving = renamed.filter(({ was }) => counts.has(was))
  await addRenames(
    tx,
    moving.map(({ name, was }) => ({
      org_id: actor.orgId,
      field,
      old_value: was,
      new_value: name,
      actor: actor.name,
    })),
  )
  if (moving.length > 0) hint(tx, RENAMES_TOPIC)
  return moving.reduce((sum, { was }) => sum + counts.get(was)!, 0)
}
