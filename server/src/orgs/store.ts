import type { Insertable, Updateable } from 'kysely'
import { compiled } from '../database/compiled.ts'
import type { Reader, Tx } from '../database/engine.ts'
import type { OrgTable } from '../database/schema.ts'
import { COLORS, type Label, type Org, type OrgSettings, type Stage } from './schema.ts'

const COLUMNS = ['id', 'name', 'plan', 'hourly_limit'] as const

/** Those of the standard stages; a stage of another name takes one by its place. */
const STAGE_COLORS: Record<string, string> = {
  lead: COLORS.grey,
  qualified: COLORS.blue,
  proposal: COLORS.violet,
  negotiation: COLORS.amber,
  won: COLORS.green,
  lost: COLORS.red,
}

export async function insertOrg(tx: Tx, org: Insertable<OrgTable>): Promise<void> {
  await tx.insertInto('org').values(org).execute()
}

export function listOrgRows(db: Reader): Promise<Org[]> {
  return db.selectFrom('org').select(COLUMNS).orderBy('id').execute()
}

export function orgById(db: Reader, id: string): Promise<Org | undefined> {
  return db.selectFrom('org').select(COLUMNS).where('id', '=', id).executeTakeFirst()
}

export async function updateOrg(tx: Tx, id: string, change: Updateable<OrgTable>): Promise<void> {
  if (Object.keys(change).length > 0) await tx.updateTable('org').set(change).where('id', '=', id).execute()
}

/** Sets the pipeline; stages that stay keep their colour and probability. */
export async function replaceStages(tx: Tx, orgId: string, names: string[]): Promise<void> {
  const before = await tx.selectFrom('stage').selectAll().where('org_id', '=', orgId).execute()
  await tx.deleteFrom('stage').where('org_id', '=', orgId).execute()
  const colors = Object.values(COLORS)
  const rows = names.map((name, position) => {
    const kept = before.find((stage) => stage.name === name)
    const color = kept?.color ?? STAGE_COLORS[name] ?? colors[position % colors.length]!
    return { org_id: orgId, name, position, color, probability: kept?.probability ?? null }
  })
  await tx.insertInto('stage').values(rows).execute()
}

/** The pipeline, in its order. */
export function stageRows(db: Reader, orgId: string): Promise<Stage[]> {
  return db
    .selectFrom('stage')
    .select(['name', 'color', 'probability'])
    .where('org_id', '=', orgId)
    .orderBy('position')
    .orderBy('name')
    .$narrowType<{ color: Stage['color'] }>()
    .execute()
}

/** The labels that are offered, in their order. */
export function labelRows(db: Reader, orgId: string): Promise<Label[]> {
  return db
    .selectFrom('label')
    .select(['name', 'color'])
    .where('org_id', '=', orgId)
    .orderBy('position')
    .orderBy('name')
    .$narrowType<{ color: Label['color'] }>()
    .execute()
}

export async function putStages(tx: Tx, orgId: string, stages: readonly Stage[]): Promise<void> {
  await tx.deleteFrom('stage').where('org_id', '=', orgId).execute()
  await tx
    .insertInto('stage')
    .values(stages.map((stage, position) => ({ org_id: orgId, position, ...stage })))
    .execute()
}

export async function putLabels(tx: Tx, orgId: string, labels: readonly Label[]): Promise<void> {
  await tx.deleteFrom('label').where('org_id', '=', orgId).execute()
  if (labels.length === 0) return
  await tx
    .insertInto('label')
    .values(labels.map((label, position) => ({ org_id: orgId, position, ...label })))
    .execute()
}

export async function orgSettingsById(db: Reader, id: string): Promise<OrgSettings | undefined> {
  const row = await db
    .selectFrom('org')
    .select(['id', 'name', 'time_zone', 'currency', 'plan', 'hourly_limit', 'strict_stages'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { ...row, strict_stages: row.strict_stages === 1 }
}

const stageCheck = compiled<{ orgId: string; stage: string }>()((db, p) =>
  db
    .selectFrom('org')
    .leftJoin('stage', (join) => join.onRef('stage.org_id', '=', 'org.id').on('stage.name', '=', p('stage')))
    .select(['org.strict_stages', 'stage.name'])
    .where('org.id', '=', p('orgId')),
)

/** @returns whether the org's contacts may have this stage */
export async function allowsStage(db: Reader, key: { orgId: string; stage: string }): Promise<boolean> {
  const [found] = await stageCheck(db, key)
  return found !== undefined && (found.strict_stages === 0 || found.name !== null)
}

export async function hasOrg(db: Reader): Promise<boolean> {
  return (await db.selectFrom('org').select('id').limit(1).executeTakeFirst()) !== undefined
}
