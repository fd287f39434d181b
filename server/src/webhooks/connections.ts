/** The connections of a sender, kept by origin from one sending to the next. */

import type { Connect, Target } from '../outgoing/connector.ts'
import { Connection } from './connection.ts'

const IDLE_PER_ORIGIN_MAX = 256
const IDLE_MAX = 1024

/**
 * A connection is used again only after it has rested for so long: some receivers close theirs after each answer
 * without having said so, and a request that meets such a close is lost. Busy receivers get a few connections more.
 */
const REST_MS = 10

interface Idle {
  /** Given back less than REST_MS ago when last looked at; the oldest first. */
  resting: Connection[]
  /** The last one is taken first, so that those no longer needed time out. */
  rested: Connection[]
}

/** Where connections go to. */
export interface Receiver {
  origin: string
  target: Target
}

export interface Connections {
  /** A connection that nobody uses, kept or new. */
  take(receiver: Receiver): Connection
  /** `isReusable` when its last answer came whole. */
  giveBack(connection: Connection, isReusable: boolean): void
  /** Ends the sendings of a signal that has aborted, without an outcome. */
  abandon(signal: AbortSignal): void
  /** Ends all; resolves when their sockets are closed. */
  close(): Promise<void>
}

export function openConnections(connect: Connect): Connections {
  const all = new Set<Connection>()
  const idleByOrigin = new Map<string, Idle>()
  let idleCount = 0

  return {
    take(receiver) {
      return takeRested(receiver.origin) ?? open(receiver)
    },

    giveBack(connection, isReusable) {
      const idle = idleByOrigin.get(connection.origin) ?? { resting: [], rested: [] }
      const isFull = idle.resting.length + idle.rested.length >= IDLE_PER_ORIGIN_MAX || idleCount >= IDLE_MAX
      if (!isReusable || isFull) {
        end(connection)
        return
      }
      connection.rest()
      idle.resting.push(connection)
      idleByOrigin.set(connection.origin, idle)
      idleCount++
    },

    abandon(signal) {
      for (const { exchange } of all) if (exchange?.signal === signal) exchange.abandon(signal.reason)
    },

    async close() {
      const reason = new Error('The sender is closed.')
      const ends = [...all].map((connection) => {
        connection.exchange?.abandon(reason)
        return connection.destroy()
      })
      await Promise.all(ends)
    },
  }

  function takeRested(origin: string): Connection | undefined {
    const idle = idleByOrigin.get(origin)
    if (!idle) return undefined
    const restedBeforeMs = performance.now() - REST_MS
    const firstTired = idle.resting.findIndex(({ restsSinceMs }) => restsSinceMs > restedBeforeMs)
    idle.rested.push(...idle.resting.splice(0, firstTired === -1 ? idle.resting.length : firstTired))
    const connection = idle.rested.pop()
    if (!connection) return undefined
    idleCount--
    dropIfEmpty(origin, idle)
    return connection
  }

  function open({ origin, target }: Receiver): Connection {
    const connection = new Connection(origin, target, connect, (closed) => {
      forget(closed)
      end(closed)
    })
    all.add(connection)
    return connection
  }

  /** Takes a connection that closed by itself out of the idle ones. */
  function forget(connection: Connection): void {
    const idle = idleByOrigin.get(connection.origin)
    if (!idle) return
    for (const list of [idle.resting, idle.rested]) {
      const index = list.indexOf(connection)
      if (index === -1) continue
      list.splice(index, 1)
      idleCount--
    }
    dropIfEmpty(connection.origin, idle)
  }

  function dropIfEmpty(origin: string, idle: Idle): void {
    if (idle.resting.length + idle.rested.length === 0) idleByOrigin.delete(origin)
  }

  function end(connection: Connection): void {
    all.delete(connection)
    void connection.destroy()
  }
}
