/** Where this server can be reached by its settings alone, and whether it may be there. */

import { BlockList, isIPv6 } from 'node:net'
import type { Config } from '../config.ts'

/**
 * Why these settings may not be served: plain HTTP off loopback that nobody has asked for in so many words.
 *
 * @returns a sentence, or undefined when they may
 * @see contract §1, "HTTPS only"
 */
export function plainHttpFault(http: Pick<Config['http'], 'host' | 'tls' | 'allowsInsecure'>): string | undefined {
  if (http.tls || http.allowsInsecure || isLoopback(http.host)) return undefined
  return (
    `Plain HTTP is served on a loopback address only, and ${http.host} is not one. ` +
    'Give a certificate (KITH_TLS_CERT and KITH_TLS_KEY), or listen on 127.0.0.1 behind a proxy that speaks TLS, ' +
    'or, where nobody else can listen in, set KITH_INSECURE_HTTP=1.'
  )
}

/** The server's own address, for when no base address is set. `port` is the one really bound. */
export function ownBaseUrl(http: Pick<Config['http'], 'host' | 'tls'>, port: number): string {
  const scheme = http.tls ? 'https' : 'http'
  const isEverywhere = http.host === '0.0.0.0' || http.host === '::'
  const host = isEverywhere ? 'localhost' : isIPv6(http.host) ? `[${http.host}]` : http.host
  return new URL(`${scheme}://${host}:${port}`).origin
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

function isLoopback(host: string): boolean {
  return host === 'localhost' || loopback.check(host, isIPv6(host) ? 'ipv6' : 'ipv4')
}
