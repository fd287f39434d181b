import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/engine.ts'
import { changeOrg, getOrgSettings } from './actions.ts'
import { countByLabel, countByStage, setLabels, setStages } from './pipeline-actions.ts'
import { OrgSettings } from './schema.ts'
import { Counts, LabelsAnswer, LabelsInput, OrgPatch, StagesAnswer, StagesInput } from './ui-schema.ts'

const admin = { access: 'admin' } as const
const member = { access: 'member' } as const

export function orgUiRoutes(db: Database) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get('/org', { schema: { response: { 200: OrgSettings } }, config: member }, ({ actor }) =>
      getOrgSettings(db.read, actor.orgId),
    )

    app.patch<{ Body: OrgPatch }>(
      '/org',
      { schema: { body: OrgPatch, response: { 200: OrgSettings } }, config: admin },
      ({ actor, body }) =>
        db.write(async (tx) => {
          await changeOrg(tx, actor.orgId, body)
          return getOrgSettings(tx, actor.orgId)
        }),
    )

    app.post<{ Body: StagesInput }>(
      '/org/stages',
      { schema: { body: StagesInput, response: { 200: StagesAnswer } }, config: admin },
      ({ actor, body }) => db.write((tx) => setStages(tx, actor, body)),
    )

    app.get('/org/stages/usage', { schema: { response: { 200: Counts } }, config: member }, async ({ actor }) => ({
      data: await countByStage(db.read, actor.orgId),
    }))

    app.post<{ Body: LabelsInput }>(
      '/org/labels',
      { schema: { body: LabelsInput, response: { 200: LabelsAnswer } }, config: admin },
      ({ actor, body }) => db.write((tx) => setLabels(tx, actor, body)),
    )

    app.get('/org/labels/usage', { schema: { response: { 200: Counts } }, config: member }, async ({ actor }) => ({
      data: await countByLabel(db.read, actor.orgId),
    }))
  }
}
