/** Opens the connection of a delivery, to an address that was judged, and to no other. */

import { isIP, connect as openTcp, type Socket } from 'node:net'
import { createSecureContext, getCACertificates, connect as startTls } from 'node:tls'
import type { AddressGuard } from './address-guard.ts'
import type { NameResolver } from './resolver.ts'
import { failureOf, type Phase, SendFailure } from './send-failure.ts'

/** A name may have hundreds of addresses; of those judged fine, so many are tried. */
const ADDRESSES_TRIED_MAX = 4

export interface Target {
  protocol: string
  /** Without brackets. */
  hostname: string
  port: number
}

/** The sending that a connection is opened for: told where it stands, asked how long it may go on. */
export interface Trip {
  phase: Phase
  timings: { resolveMs: number | null; connectMs: number | null; tlsMs: number | null }
  /** What to destroy when the trip ends before its connection is there. */
  opening: Socket | null
  readonly isOver: boolean
  remainingMs(): number
}

/** Opens one connection; rejects with a `SendFailure` or a `SendImpossible`. */
export type Connect = (target: Target, trip: Trip) => Promise<Socket>

interface ConnectorOptions {
  guard: AddressGuard
  resolver: NameResolver
  /** PEM certificates that are trusted besides the system's. */
  ca?: string | undefined
}

/**
 * Makes the step that opens connections. A name is resolved once, all its addresses are judged (one bad one refuses
 * the name: it is either an attack or a mistake), then they are tried in order, each with its share of the time left.
 * TLS certificates are always verified, whatever NODE_TLS_REJECT_UNAUTHORIZED says.
 *
 * @see security W1, W5, W6
 */
export function guardedConnector({ guard, resolver, ca }: ConnectorOptions): Connect {
  const secureContext = createSecureContext(ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] })

  return async (target, trip) => {
    try {
      const addresses = await judgedAddresses(target.hostname, trip)
      const socket = await firstConnection(addresses, target.port, trip)
      return target.protocol === 'https:' ? await secured(socket, target, trip) : socket
    } catch (error) {
      throw failureOf(error, trip.phase)
    }
  }

  async function judgedAddresses(hostname: string, trip: Trip): Promise<string[]> {
    let addresses = [hostname]
    if (!isIP(hostname)) {
      trip.phase = 'resolve'
      const startedMs = performance.now()
      addresses = await resolver.resolve(hostname)
      trip.timings.resolveMs = performance.now() - startedMs
      if (addresses.length === 0) throw new SendFailure('The name could not be found.')
    }
    for (const address of addresses) {
      const refused = guard.judgeAddress(address, hostname)
      if (refused !== undefined) throw new SendFailure(refused)
    }
    return addresses.slice(0, ADDRESSES_TRIED_MAX)
  }

  function secured(socket: Socket, { hostname }: Target, trip: Trip): Promise<Socket> {
    trip.phase = 'tls'
    const startedMs = performance.now()
    const tls = startTls({
      socket,
      // The name that the certificate is compared with: `servername`, or for an address, which SNI cannot carry, `host`.
      servername: isIP(hostname) ? '' : hostname,
      host: hostname,
      secureContext,
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true,
    })
    return opened(tls, 'secureConnect', trip, () => {
      trip.timings.tlsMs = performance.now() - startedMs
    })
  }
}

async function firstConnection(addresses: string[], port: number, trip: Trip): Promise<Socket> {
  trip.phase = 'connect'
  const startedMs = performance.now()
  for (const [index, host] of addresses.entries()) {
    if (trip.isOver) break
    const left = addresses.length - index
    const socket = openTcp({ host, port, noDelay: true })
    // The last one has all that is left, and the deadline itself ends it.
    const giveUp = left > 1 ? setTimeout(() => socket.destroy(), trip.remainingMs() / left) : undefined
    try {
      return await opened(socket, 'connect', trip, () => {
        trip.timings.connectMs = performance.now() - startedMs
      })
    } catch (error) {
      const failure = failureOf(error, 'connect')
      if (left === 1 || !(failure instanceof SendFailure)) throw failure
    } finally {
      clearTimeout(giveUp)
    }
  }
  throw new SendFailure('The connection was given up.')
}

function opened(socket: Socket, event: 'connect' | 'secureConnect', trip: Trip, note: () => void): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  trip.opening = socket
  // The listener stays: an error between two owners of the socket must not end the process.
  socket.on('error', reject)
  const onClose = () => reject(Object.assign(new Error('The socket was closed.'), { code: 'ECONNRESET' }))
  socket.once('close', onClose)
  socket.once(event, () => {
    socket.removeListener('close', onClose)
    trip.opening = null
    note()
    resolve(socket)
  })
  if (trip.isOver) socket.destroy()
  return promise
}
