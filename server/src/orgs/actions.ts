import { now, toIso } from '../clock.ts'
import type { Database, Reader, Tx } from '../database/engine.ts'
import { ApiError, type Detail, validationError } from '../http/errors.ts'
import { newId } from '../ids.ts'
import { announce } from '../live/announce.ts'
import { isUuid } from '../uuid.ts'
import { COLORS, type Label, type NewOrg, type Org, type OrgChange, type OrgSettings, type Stage } from './schema.ts'
import {
  allowsStage,
  insertOrg,
  labelRows,
  listOrgRows,
  orgById,
  orgSettingsById,
  putLabels,
  replaceStages,
  stageRows,
  updateOrg,
} from './store.ts'

const HOURLY_LIMIT = { pro: 5_000, enterprise: 50_000 } as const
const LIMIT_MAX = 1_000_000_000
const NAME_MAX = 200
const STAGE_NAME_MAX = 64
const STAGES_MAX = 50
const FIRST_STAGES = ['lead', 'qualified', 'proposal', 'negotiation', 'won', 'lost']
const FIRST_LABELS: Label[] = [
  { name: 'hot', color: COLORS.red },
  { name: 'warm', color: COLORS.amber },
  { name: 'cold', color: COLORS.blue },
]

/** Makes an org with the standard pipeline and labels. @throws ApiError `validation` */
export async function createOrg(tx: Tx, input: NewOrg): Promise<Org> {
  const { plan = 'pro', hourly_limit, time_zone = 'UTC', currency = 'EUR' } = input
  const name = input.name.trim()
  const faults = [
    ...nameFaults(name),
    ...limitFaults(hourly_limit),
    ...timeZoneFaults(time_zone),
    ...currencyFaults(currency),
  ]
  if (faults.length > 0) throw validationError(faults)
  const org = { id: newId(), name, plan, hourly_limit: hourly_limit ?? HOURLY_LIMIT[plan] }
  await insertOrg(tx, { ...org, time_zone, currency, strict_stages: 0, created_at: toIso(now()) })
  await replaceStages(tx, org.id, FIRST_STAGES)
  await putLabels(tx, org.id, FIRST_LABELS)
  return org
}

/** All orgs, oldest first. */
export function listOrgs(db: Reader): Promise<Org[]> {
  return listOrgRows(db)
}

/** @throws ApiError `not_found` */
export async function getOrg(db: Reader, id: string): Promise<Org> {
  const org = isUuid(id) ? await orgById(db, id) : undefined
  if (!org) throw new ApiError('not_found', `There is no org with the id ${id}.`)
  return org
}

/** An org as its members see it. @throws ApiError `not_found` */
export async function getOrgSettings(db: Reader, id: string): Promise<OrgSettings> {
  const settings = isUuid(id) ? await orgSettingsById(db, id) : undefined
  if (!settings) throw new ApiError('not_found', `There is no org with the id ${id}.`)
  return settings
}

/** The pipeline, in its order. */
export function listStages(db: Reader, orgId: string): Promise<Stage[]> {
  return stageRows(db, orgId)
}

/** The labels that are offered, in their order. */
export function listLabels(db: Reader, orgId: string): Promise<Label[]> {
  return labelRows(db, orgId)
}

/**
 * Changes an org's name, plan, limit or pipeline. Another plan brings its limit, unless one is given too.
 *
 * @throws ApiError `not_found`, `validation`
 */
export async function changeOrg(tx: Tx, id: string, change: OrgChange): Promise<Org> {
  await getOrg(tx, id)
  const stages = change.stages?.map((stage) => stage.trim())
  const name = change.name?.trim()
  const faults = [
    ...(name === undefined ? [] : nameFaults(name)),
    ...limitFaults(change.hourly_limit),
    ...stageFaults(stages),
    ...(change.time_zone === undefined ? [] : timeZoneFaults(change.time_zone)),
    ...(change.currency === undefined ? [] : currencyFaults(change.currency)),
  ]
  if (faults.length > 0) throw validationError(faults)
  const limit = change.hourly_limit ?? (change.plan && HOURLY_LIMIT[change.plan])
  await updateOrg(tx, id, {
    ...(name !== undefined && { name }),
    ...(change.time_zone !== undefined && { time_zone: change.time_zone }),
    ...(change.currency !== undefined && { currency: change.currency }),
    ...(change.plan && { plan: change.plan }),
    ...(limit !== undefined && { hourly_limit: limit }),
    ...(change.strict_stages !== undefined && { strict_stages: change.strict_stages ? 1 : 0 }),
  })
  if (stages) await replaceStages(tx, id, stages)
  announce(tx, id, 'org', null)
  return getOrg(tx, id)
}

/** @throws ApiError `validation` at `deal_stage` when the org's pipeline is strict and has no such stage */
export async function requireStage(db: Reader, orgId: string, stage: string): Promise<void> {
  if (await allowsStage(db, { orgId, stage })) return
  throw validationError([
    { path: 'deal_stage', code: 'not_allowed', message: `deal_stage must be a stage of the org's pipeline.` },
  ])
}

/** Runs `work` for an org that is there. */
export async function withOrg<T>(db: Database, id: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.write(async (tx) => {
    await getOrg(tx, id)
    return work(tx)
  })
}

function nameFaults(name: string): Detail[] {
  if (name === '') return [{ path: 'name', code: 'required', message: 'name is required.' }]
  if ([...name].length <= NAME_MAX) return []
  return [{ path: 'name', code: 'too_long', message: `name must be at most ${NAME_MAX} characters.` }]
}

function timeZoneFaults(timeZone: string): Detail[] {
  if (TIME_ZONE.test(timeZone) && isTimeZone(timeZone)) return []
  const message = 'time_zone must be the name of a time zone, such as Europe/Berlin.'
  return [{ path: 'time_zone', code: 'not_allowed', message }]
}

/** An offset such as `+02:00`, which is taken as a zone too, knows no summer time. */
const TIME_ZONE = /^[A-Za-z]/

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'))

function currencyFaults(currency: string): Detail[] {
  if (CURRENCIES.has(currency)) return []
  const message = 'currency must be the three capital letters of a currency, such as EUR.'
  return [{ path: 'currency', code: 'not_allowed', message }]
}

function limitFaults(limit: number | undefined): Detail[] {
  if (limit === undefined || (Number.isInteger(limit) && limit >= 0 && limit <= LIMIT_MAX)) return []
  const message = `hourly_limit must be a whole number from 0 to ${LIMIT_MAX}.`
  return [{ path: 'hourly_limit', code: 'out_of_range', message }]
}

function stageFaults(stages: string[] | undefined): Detail[] {
  return stages ? nameListFaults(stages, { path: 'stages', noun: 'stage', min: 1 }) : []
}

/** @returns the faults of the names of a pipeline's stages or of labels: how many they are, each one, and repeats */
export function nameListFaults(
  names: readonly string[],
  { path, noun, min }: { path: string; noun: string; min: number },
): Detail[] {
  if (names.length < min || names.length > STAGES_MAX) {
    return [{ path, code: 'out_of_range', message: `${path} must be ${min} to ${STAGES_MAX} names.` }]
  }
  return names.flatMap((name, at): Detail[] => {
    const ownPath = `${path}/${at}`
    if (name === '') return [{ path: ownPath, code: 'required', message: `A ${noun} needs a name.` }]
    if ([...name].length > STAGE_NAME_MAX) {
      const message = `A ${noun}'s name must be at most ${STAGE_NAME_MAX} characters.`
      return [{ path: ownPath, code: 'too_long', message }]
    }
    return names.indexOf(name) < at
      ? [{ path: ownPath, code: 'not_allowed', message: `The ${noun} ${name} is there twice.` }]
      : []
  })
}
