import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../http/errors.ts'
import { localTest } from './loopback.ts'
import type { Metrics } from './metrics.ts'
import { createReadiness, type ReadinessParts } from './readiness.ts'

export interface OperationParts extends ReadinessParts {
  metrics: Metrics
  /** Who gets the metrics: everyone, where a port of its own serves them, or who asks on this machine. */
  metricsFor: 'everyone' | 'no one' | { localUnlessFrom: string[] }
}

/** Serves `/healthz`, `/readyz` and `/metrics`, which need no token and tell no org's data. */
export function operationRoutes({ metrics, metricsFor, ...readiness }: OperationParts) {
  return async (app: FastifyInstance): Promise<void> => {
    const requireReady = createReadiness(readiness)
    const maySeeMetrics = metricsTest(metricsFor)
    app.addHook('onRequest', async (request) => {
      request.query = '' // Probes may add what they like behind a question mark.
    })

    app.get('/healthz', async () => ({ status: 'ok' }))

    app.get('/readyz', async () => {
      await requireReady()
      return { status: 'ok' }
    })

    app.get('/metrics', async (request, reply) => {
      if (!maySeeMetrics(request)) throw new ApiError('not_found', 'There is nothing at this path.')
      const { type, body } = await metrics.text()
      return reply.type(type).send(body)
    })
  }
}

function metricsTest(metricsFor: OperationParts['metricsFor']): (request: FastifyRequest) => boolean {
  if (typeof metricsFor === 'object') return localTest(metricsFor.localUnlessFrom)
  return () => metricsFor === 'everyone'
}
