/** Which node this is among those of one database, and what it holds of what they share. */
import { Gauge, type Registry } from 'prom-client'
import type { ConnectionCounts } from '../database/engine.ts'

export interface NodeStats {
  /** As in the log, and in the rows of leases and jobs. */
  id: string
  /** Orgs of which it holds part of the rate limit, and how many requests that is. */
  rateLimit: () => { leases: number; permits: number }
  /** Imports that it works. */
  imports: () => number
  /** Where there is a pool of them. */
  connections: (() => ConnectionCounts) | undefined
}

export function addNodeMetrics(registry: Registry, { id, rateLimit, imports, connections }: NodeStats): void {
  gauge('kith_node_info', 'Always 1: which node this is, until it starts again, is the label.', ['node'], () => [
    [{ node: id }, 1],
  ])
  gauge('kith_rate_limit_leases', 'Orgs of whose rate limit this process holds a part.', [], () => [
    [{}, rateLimit().leases],
  ])
  gauge('kith_rate_limit_permits', 'Requests that it may let through without asking the database.', [], () => [
    [{}, rateLimit().permits],
  ])
  gauge('kith_imports_owned', 'Imports, and undoings of them, that this process works.', [], () => [[{}, imports()]])
  if (connections) {
    gauge('kith_database_connections', 'Connections of this process to PostgreSQL, by state.', ['state'], () => [
      [{ state: 'in_use' }, connections().inUse],
      [{ state: 'idle' }, connections().idle],
    ])
    gauge('kith_database_connections_max', 'Connections that it may hold.', [], () => [[{}, connections().max]])
    gauge('kith_database_waiting', 'Queries and transactions that wait for a connection.', [], () => [
      [{}, connections().waiting],
    ])
  }

  function gauge(name: string, help: string, labelNames: string[], values: () => [Record<string, string>, number][]) {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        for (const [labels, value] of values()) this.set(labels, value)
      },
    })
  }
}
