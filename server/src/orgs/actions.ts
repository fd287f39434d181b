import { now, toIso } from '../clock.ts'
import type { Database, Reader, Tx } from '../database/engine.ts'
import { ApiError, type Detail, validationError } from '../http/errors.ts'
import { isUuid, newId } from '../ids.ts'
import type { NewOrg, Org, OrgChange } from './schema.ts'
import { allowsStage, insertOrg, listOrgRows, orgById, replaceStages, updateOrg } from './store.ts'

const HOURLY_LIMIT = { pro: 5_000, enterprise: 50_000 } as const
const LIMIT_MAX = 1_000_000_000
const NAME_MAX = 200
const STAGE_NAME_MAX = 64
const STAGES_MAX = 50
const FIRST_STAGES = ['lead', 'qualified', 'proposal', 'negotiation', 'won', 'lost']

/** Makes an org with the standard pipeline. @throws ApiError `validation` */
export async function createOrg(tx: Tx, { name, plan = 'pro', hourly_limit }: NewOrg): Promise<Org> {
  const trimmed = name.trim()
  const faults = [...nameFaults(trimmed), ...limitFaults(hourly_limit)]
  if (faults.length > 0) throw validationError(faults)
  const org = { id: newId(), name: trimmed, plan, hourly_limit: hourly_limit ?? HOURLY_LIMIT[plan] }
  await insertOrg(tx, { ...org, strict_stages: 0, created_at: toIso(now()) })
  await replaceStages(tx, org.id, FIRST_STAGES)
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

/**
 * Changes an org's plan, limit or pipeline. Another plan brings its limit, unless one is given too.
 *
 * @throws ApiError `not_found`, `validation`
 */
export async function changeOrg(tx: Tx, id: string, change: OrgChange): Promise<Org> {
  await getOrg(tx, id)
  const stages = change.stages?.map((stage) => stage.trim())
  const faults = [...limitFaults(change.hourly_limit), ...stageFaults(stages)]
  if (faults.length > 0) throw validationError(faults)
  const limit = change.hourly_limit ?? (change.plan && HOURLY_LIMIT[change.plan])
  await updateOrg(tx, id, {
    ...(change.plan && { plan: change.plan }),
    ...(limit !== undefined && { hourly_limit: limit }),
    ...(change.strict_stages !== undefined && { strict_stages: change.strict_stages ? 1 : 0 }),
  })
  if (stages) await replaceStages(tx, id, stages)
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

function limitFaults(limit: number | undefined): Detail[] {
  if (limit === undefined || (Number.isInteger(limit) && limit >= 0 && limit <= LIMIT_MAX)) return []
  const message = `hourly_limit must be a whole number from 0 to ${LIMIT_MAX}.`
  return [{ path: 'hourly_limit', code: 'out_of_range', message }]
}

function stageFaults(stages: string[] | undefined): Detail[] {
  if (!stages) return []
  if (stages.length === 0 || stages.length > STAGES_MAX) {
    return [{ path: 'stages', code: 'out_of_range', message: `stages must be 1 to ${STAGES_MAX} names.` }]
  }
  return stages.flatMap((stage, at): Detail[] => {
    const path = `stages/${at}`
    if (stage === '') return [{ path, code: 'required', message: 'A stage needs a name.' }]
    if ([...stage].length > STAGE_NAME_MAX) {
      return [{ path, code: 'too_long', message: `A stage's name must be at most ${STAGE_NAME_MAX} characters.` }]
    }
    return stages.indexOf(stage) < at
      ? [{ path, code: 'not_allowed', message: `The stage ${stage} is there twice.` }]
      : []
  })
}
