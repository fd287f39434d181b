/** Judges where a delivery may go: public addresses only, but for what the operator allows (KITH_WEBHOOK_ALLOW). */

import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = [Address, number]

const URL_CHARACTERS_MAX = 2048
const PORTS_BELOW_1024 = new Set([80, 443])

const NOT_ALLOWED = 'The address is private and not allowed.'

/** Special-use IPv4 (IANA registry), and the one metadata address of a cloud that lies in a public range (Azure). */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
].map(ipaddr.parseCIDR)

const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')

/** Special-use within 2000::/3: protocol assignments with Teredo, documentation, 6to4, documentation. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map(ipaddr.parseCIDR)

/** IPv6 whose last 32 bits are the IPv4 address really meant: mapped, and the well-known prefix of NAT64. */
const CARRIES_IPV4 = ['::ffff:0:0/96', '64:ff9b::/96'].map(ipaddr.parseCIDR)

export type UrlVerdict = { url: URL; refused?: undefined } | { url?: undefined; refused: string }

export interface AddressGuard {
  /**
   * Judges the URL of a subscription, when it is written and again when it is sent to. What a host name resolves to
   * is judged later, when it is connected to.
   *
   * @returns the URL as it is to be stored (`url.href`) and called, or a sentence for a person
   */
  judgeUrl(text: string): UrlVerdict

  /**
   * Judges an address about to be connected to.
   *
   * @param address an IPv4 or IPv6 address in any standard form
   * @param hostname the URL's host, which the address was found for
   * @returns undefined when it may be connected to, else a sentence for a person
   */
  judgeAddress(address: string, hostname: string): string | undefined

  /** Whether the operator allows this host by its name, whatever its addresses are. */
  isNamed(hostname: string): boolean
}

/**
 * Makes the judge of addresses.
 *
 * @param allow entries of `parseAllowList`
 * @throws RangeError when an entry is malformed
 * @see security W1 to W4
 */
export function createAddressGuard(allow: readonly string[]): AddressGuard {
  const hosts = new Set<string>()
  const networks: Network[] = []
  for (const text of allow) {
    const entry = readEntry(text)
    if (entry.fault !== undefined) throw new RangeError(entry.fault)
    if (entry.network) networks.push(entry.network)
    else hosts.add(entry.host)
  }

  return { judgeUrl, judgeAddress, isNamed }

  function isNamed(hostname: string): boolean {
    return hosts.has(plainHost(hostname))
  }

  function judgeUrl(text: string): UrlVerdict {
    const url = URL.parse(text)
    if (!url || /[\u0000-\u0020\u007f]/.test(text)) return refuse('The URL is not valid.')
    if (text.length > URL_CHARACTERS_MAX || url.href.length > URL_CHARACTERS_MAX) {
      return refuse('The URL is longer than 2,048 characters.')
    }
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return refuse('The URL must begin with https://.')
    if (url.username || url.password) return refuse('The URL must not contain a user name or a password.')
    if (text.includes('#')) return refuse('The URL must not have a fragment (#…), since it would never be sent.')
    if (url.port && Number(url.port) < 1024 && !PORTS_BELOW_1024.has(Number(url.port))) {
      return refuse('The port must be 80, 443 or above 1023.')
    }
    const refused = judgeHost(url)
    return refused === undefined ? { url } : refuse(refused)
  }

  function judgeHost(url: URL): string | undefined {
    const host = bareHost(url)
    const isAllowed = isIP(host) ? isInAllowedNetwork(host) : isNamed(host)
    if (isAllowed) {
      if (host.endsWith('.')) url.hostname = plainHost(host)
      return undefined
    }
    if (isIP(host) && isSpecial(host)) return NOT_ALLOWED
    if (host.endsWith('.')) return 'The host name must not end in a dot.'
    if (host === 'localhost' || host.endsWith('.localhost')) return 'The host localhost is not allowed.'
    if (url.protocol === 'http:') {
      return 'The URL must begin with https://; plain http is only for hosts that the operator allows.'
    }
    return undefined
  }

  function judgeAddress(address: string, hostname: string): string | undefined {
    if (isNamed(hostname)) return undefined
    // A zone (fe80::1%eth0) names a link of this machine: never public, and not for comparing with networks.
    if (isIP(address) === 0 || address.includes('%')) return NOT_ALLOWED
    return isInAllowedNetwork(address) || !isSpecial(address) ? undefined : NOT_ALLOWED
  }

  function isInAllowedNetwork(text: string): boolean {
    if (networks.length === 0) return false
    const address = parseAddress(text)
    return isIn(networks, address) || isIn(networks, meantAddress(address))
  }
}

/**
 * Reads the operator's list: host names, addresses and networks, separated by commas or white space.
 *
 * @returns the entries, and a sentence for each malformed one
 */
export function parseAllowList(text: string): { entries: string[]; faults: string[] } {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '')
  const faults = entries.map((entry) => readEntry(entry).fault).filter((fault) => fault !== undefined)
  return { entries, faults }
}

/** The host of a URL without the brackets of an IPv6 address. */
export function bareHost(url: URL): string {
  const { hostname } = url
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}

type Entry =
  | { network: Network; host?: undefined; fault?: undefined }
  | { host: string; network?: undefined; fault?: undefined }
  | { fault: string; network?: undefined; host?: undefined }

function readEntry(text: string): Entry {
  const fault = (why: string): Entry => ({ fault: `"${text}" ${why}` })
  if (text.includes('://')) return fault('is a URL; only its host name can be allowed.')
  if (text.includes('/')) return readNetwork(text, fault)
  const address = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text
  if (isIP(address)) {
    if (address.includes('%')) return fault('has a zone, which cannot be allowed.')
    const parsed = parseAddress(address)
    return { network: [parsed, parsed.kind() === 'ipv4' ? 32 : 128] }
  }
  if (text.includes(':')) return fault('has a port; a host is allowed with all its ports.')
  if (text.includes('*')) return fault('has a wildcard; each host is allowed by its whole name.')
  const url = URL.parse(`https://${text}/`)
  if (url?.pathname !== '/' || /[@?#\\]/.test(text)) return fault('is no host name, address or network.')
  if (isIP(bareHost(url))) return fault(`is a short form of an address; write ${bareHost(url)}.`)
  return { host: plainHost(url.hostname) }
}

function readNetwork(text: string, fault: (why: string) => Entry): Entry {
  const [base = '', bits = ''] = text.split('/')
  const bitsMax = isIP(base) === 4 ? 32 : 128
  if (!isIP(base) || base.includes('%') || !/^\d{1,3}$/.test(bits) || Number(bits) > bitsMax) {
    return fault('is no network; write one like 10.0.0.0/8 or fd00::/8.')
  }
  const network: Network = [parseAddress(base), Number(bits)]
  const kind = isIP(base) === 4 ? ipaddr.IPv4 : ipaddr.IPv6
  const first = kind.networkAddressFromCIDR(`${network[0]}/${bits}`).toString()
  if (first !== network[0].toString()) {
    return fault(`has bits beyond its length; write ${first}/${bits} or a single address.`)
  }
  return { network }
}

/** Reads what `isIP` takes for an address. */
function parseAddress(text: string): Address {
  // ipaddr.js takes ::10.0.0.1 for ::ffff:10.0.0.1; in hexadecimal, as URL writes it, it is read as what it is.
  const isDottedIpv6 = text.includes(':') && text.includes('.')
  return ipaddr.parse(isDottedIpv6 ? bareHost(new URL(`http://[${text}]/`)) : text)
}

function plainHost(hostname: string): string {
  const lower = hostname.toLowerCase()
  return lower.endsWith('.') ? lower.slice(0, -1) : lower
}

function isSpecial(text: string): boolean {
  const address = meantAddress(parseAddress(text))
  if (address.kind() === 'ipv4') return isIn(SPECIAL_IPV4, address)
  return !address.match(GLOBAL_IPV6) || isIn(SPECIAL_IPV6, address)
}

function meantAddress(address: Address): Address {
  if (address.kind() === 'ipv4' || !isIn(CARRIES_IPV4, address)) return address
  return new ipaddr.IPv4(address.toByteArray().slice(12))
}

function isIn(networks: Network[], address: Address): boolean {
  return networks.some((network) => network[0].kind() === address.kind() && address.match(network))
}

function refuse(refused: string): UrlVerdict {
  return { refused }
}
