/** Finds the addresses of a receiver's name. */

import { lookup, Resolver } from 'node:dns/promises'

const QUERY_TIMEOUT_MS = 2000
const QUERY_TRIES = 2
const CONFIGURATION_AGE_MAX_MS = 60_000

export interface NameResolver {
  /**
   * Finds every address of a name, IPv4 first: most receivers have that, and not every network carries IPv6.
   *
   * @throws an error of `node:dns` when there is none
   */
  resolve(hostname: string): Promise<string[]>

  /** Ends the look-ups under way; they reject. */
  cancel(): void
}

/**
 * Makes the look-up of names. Names come from subscriptions, and a name server that never answers must hold nobody
 * else: so they are asked for over DNS directly, since the system's own look-up (`getaddrinfo`) occupies one of the few
 * threads that all of this process shares, for as long as the name's server likes. Only names that the operator has
 * allowed go to the system, which knows `/etc/hosts` and search domains too. One name is asked for once at a time.
 *
 * @param isNamed whether the operator allows this host by name
 * @param servers for tests: name servers (`127.0.0.1:5300`) instead of the system's
 */
export function createResolver(isNamed: (hostname: string) => boolean, servers?: string[]): NameResolver {
  let resolver = newResolver(servers)
  let madeAtMs = performance.now()
  const underWay = new Map<string, Promise<string[]>>()

  return {
    resolve(hostname) {
      let addresses = underWay.get(hostname)
      if (!addresses) {
        addresses = find(hostname).finally(() => underWay.delete(hostname))
        underWay.set(hostname, addresses)
      }
      return addresses
    },

    cancel() {
      resolver.cancel()
    },
  }

  async function find(hostname: string): Promise<string[]> {
    if (isNamed(hostname)) {
      const found = await lookup(hostname, { all: true, order: 'ipv4first' })
      return found.map(({ address }) => address)
    }
    if (performance.now() - madeAtMs > CONFIGURATION_AGE_MAX_MS) {
      // It reads the system's name servers only when it is made, and those change while a server runs.
      resolver = newResolver(servers)
      madeAtMs = performance.now()
    }
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason
    return [...(v4.status === 'fulfilled' ? v4.value : []), ...(v6.status === 'fulfilled' ? v6.value : [])]
  }
}

function newResolver(servers: string[] | undefined): Resolver {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES })
  if (servers) resolver.setServers(servers)
  return resolver
}
