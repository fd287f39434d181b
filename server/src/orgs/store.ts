import { compiled } from '../database/compiled.ts'
import type { Reader, Tx } from '../database/engine.ts'
import type { OrgTable } from '../database/schema.ts'
import type { Org } from './schema.ts'

const COLUMNS = ['id', 'name', 'plan', 'hourly_limit'] as const

/** Bars of the standard stages; a stage of another name takes the least used of them. */
const STAGE_COLORS: Record<string, string> = {
  lead: '#6b7482',
  qualified: '#3f66d9',
  proposal: '#7f4fd0',
  negotiation: '#b07600',
  won: '#23804c',
  lost: '#c2453d',
}

export async function insertOrg(tx: Tx, org: Omit<OrgTable, 'number'>): Promise<void> {
  await tx.insertInto('org').values(org).execute()
}

export function listOrgRows(db: Reader): Promise<Org[]> {
  return db.selectFrom('org').select(COLUMNS).orderBy('id').execute()
}

export function orgById(db: Reader, id: string): Promise<Org | undefined> {
  return db.selectFrom('org').select(COLUMNS).where('id', '=', id).executeTakeFirst()
}

export async function updateOrg(tx: Tx, id: string, change: Partial<Omit<OrgTable, 'number'>>): Promise<void> {
  if (Object.keys(change).length > 0) await tx.updateTable('org').set(change).where('id', '=', id).execute()
}

/** Sets the pipeline; stages that stay keep their colour and probability. */
export async function replaceStages(tx: Tx, orgId: string, names: string[]): Promise<void> {
  const before = await tx.selectFrom('stage').selectAll().where('org_id', '=', orgId).execute()
  await tx.deleteFrom('stage').where('org_id', '=', orgId).execute()
  const colors = Object.values(STAGE_COLORS)
  const rows = names.map((name, position) => {
    const kept = before.find((stage) => stage.name === name)
    const color = kept?.color ?? STAGE_COLORS[name] ?? colors[position % colors.length]!
    return { org_id: orgId, name, position, color, probability: kept?.probability ?? null }
  })
  await tx.insertInto('stage').values(rows).execute()
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

const SETUP_CODE = 'setup_code_hash'

/** Keeps the hash of the set-up code; undefined removes it. */
export async function keepSetupCode(tx: Tx, codeHash: string | undefined): Promise<void> {
  await tx.deleteFrom('meta').where('key', '=', SETUP_CODE).execute()
  if (codeHash !== undefined) await tx.insertInto('meta').values({ key: SETUP_CODE, value: codeHash }).execute()
}
