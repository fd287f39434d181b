import type { FastifyReply, FastifyRequest } from 'fastify'
import { Counter, type Metric, type Registry } from 'prom-client'

const BOUNDS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The answers of one route and method with one status. */
interface Answers {
  labels: { method: string; route: string; status: string }
  count: number
  totalS: number
  /** How many took no longer than the bound of the same place, and longer than the one before. */
  counts: Uint32Array
}

/**
 * Adds the metrics of requests. Counting one is a few additions, since every request pays for it: what the metrics
 * library does with labels at each count takes ten times as long, so it is given the sums when it is asked.
 *
 * @returns what counts an answer
 */
export function addRequestMetrics(registry: Registry): (request: FastifyRequest, reply: FastifyReply) => void {
  // By the route's own config object, which is the same for all its requests.
  const routes = new Map<object, Map<number, Answers>>()
  const all = () => [...routes.values()].flatMap((statuses) => [...statuses.values()])
  const limited = { org: 0, bad_tokens: 0 }

  addCounter(registry, 'kith_http_requests_total', 'Requests that were answered.', () =>
    all().map(({ labels, count }) => ({ labels, value: count })),
  )
  addCounter(
    registry,
    'kith_rate_limited_total',
    'Requests that were refused: their org is over its limit, or their address has sent too many bad tokens.',
    () => Object.entries(limited).map(([limit, value]) => ({ labels: { limit }, value })),
  )
  registry.registerMetric(durations(all))

  return (request, reply) => {
    const { config } = request.routeOptions
    const { statusCode } = reply
    const answers = routes.get(config)?.get(statusCode) ?? addAnswers(routes, request, statusCode)
    const seconds = reply.elapsedTime / 1_000
    answers.count += 1
    answers.totalS += seconds
    for (let at = 0; at < BOUNDS_S.length; at += 1) {
      if (seconds > BOUNDS_S[at]!) continue
      answers.counts[at]! += 1
      break
    }
    if (statusCode === 429) limited[reply.hasHeader('ratelimit-limit') ? 'org' : 'bad_tokens'] += 1
  }
}

function addAnswers(routes: Map<object, Map<number, Answers>>, request: FastifyRequest, status: number): Answers {
  const { config, url } = request.routeOptions
  const answers: Answers = {
    // What has no route may have any path: it is not told.
    labels: { method: request.method, route: url ?? 'none', status: String(status) },
    count: 0,
    totalS: 0,
    counts: new Uint32Array(BOUNDS_S.length),
  }
  const statuses = routes.get(config) ?? new Map<number, Answers>()
  routes.set(config, statuses.set(status, answers))
  return answers
}

interface Sample {
  labels: Record<string, string>
  value: number
}

function addCounter(registry: Registry, name: string, help: string, samples: () => Sample[]): void {
  const labelNames = name === 'kith_rate_limited_total' ? ['limit'] : ['method', 'route', 'status']
  new Counter({
    name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      this.reset()
      for (const { labels, value } of samples()) this.inc(labels, value)
    },
  })
}

/** A histogram in the form in which the registry asks for it. */
function durations(all: () => Answers[]): Metric {
  const name = 'kith_http_request_duration_seconds'
  const help = 'Time from the head of a request to the end of its answer.'
  const values = () =>
    all().flatMap(({ labels, count, totalS, counts }) => {
      let below = 0
      const buckets = BOUNDS_S.map((bound, at) => {
        below += counts[at]!
        return { metricName: `${name}_bucket`, labels: { ...labels, le: bound }, value: below }
      })
      return [
        ...buckets,
        { metricName: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: count },
        { metricName: `${name}_sum`, labels, value: totalS },
        { metricName: `${name}_count`, labels, value: count },
      ]
    })
  return {
    name,
    help,
    type: 'histogram',
    get: async () => ({ name, help, type: 'histogram', values: values() }),
  } as never
}
