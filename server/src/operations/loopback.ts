import { BlockList, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/**
 * Makes the test whether a request was made on this machine. The address of the connection decides, and nothing that
 * the request says of itself, but that it was forwarded: then it came from elsewhere.
 *
 * @param trustedProxies addresses and networks in CIDR form: what comes from one of them may come from anywhere
 */
export function localTest(trustedProxies: string[]): (request: FastifyRequest) => boolean {
  const loopback = listOf(['127.0.0.0/8', '::1'])
  const proxies = listOf(trustedProxies)
  return ({ raw }) => {
    const address = raw.socket.remoteAddress ?? ''
    if (FORWARDING_HEADERS.some((name) => raw.headers[name] !== undefined)) return false
    return holds(loopback, address) && !holds(proxies, address)
  }
}

function listOf(networks: string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    list.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family)
  }
  return list
}

/** An IPv4 address that is written as IPv6 is judged as what it is. */
function holds(list: BlockList, address: string): boolean {
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
