import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/engine.ts'
import type { Usage } from './usage.ts'
import { usageReport } from './usage-actions.ts'
import { UsageReport } from './usage-schema.ts'

export function usageUiRoutes({ db, usage }: { db: Database; usage: Usage }) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get('/org/usage', { schema: { response: { 200: UsageReport } }, config: { access: 'member' } }, ({ actor }) =>
      usageReport(db, usage, actor.orgId),
    )
  }
}
