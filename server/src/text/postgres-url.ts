/** The address of a PostgreSQL database, which may name several servers, as libpq has it. */

/** Which of its servers an address means; the first one named that fits is taken. */
export const SESSION_ATTRS = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const

export type SessionAttrs = (typeof SESSION_ATTRS)[number]

export interface PostgresAddress {
  /** For each server, in the order of the address. */
  servers: ServerAddress[]
  /** Undefined where the address does not say. */
  attrs: SessionAttrs | undefined
}

export interface ServerAddress {
  /** An address with this one server. */
  url: string
  /** For people: `db1.example.com:5432`, or the folder of a socket. */
  name: string
}

/**
 * Reads `postgres://user:password@host1:5432,host2/database?target_session_attrs=read-write`. The servers may also stand
 * in the parameters `host` and `port`, as folders of sockets have to.
 *
 * @returns undefined when the text is no such address
 */
export function readPostgresUrl(text: string): PostgresAddress | undefined {
  const parts = PARTS.exec(text)?.groups
  if (!parts) return undefined
  const { scheme, user = '', hosts = '', rest = '' } = parts
  if (!isEscaped(hosts)) return undefined
  const servers = hosts.split(',').map((host) => URL.parse(`${scheme}//${user}${host}${rest}`))
  if (servers.some((server) => server === null) || (servers.length > 1 && hosts.split(',').includes('')))
    return undefined
  const each = servers.flatMap((server) => eachOfParameters(server!))
  const attrs = each[0]?.searchParams.get(ATTRS) ?? undefined
  const isKnown = attrs === undefined || (SESSION_ATTRS as readonly string[]).includes(attrs)
  if (each.length === 0 || !isKnown) return undefined
  for (const { searchParams } of each) searchParams.delete(ATTRS)
  return {
    servers: each.map((url) => ({ url: url.href, name: nameOf(url) })),
    attrs: attrs as SessionAttrs | undefined,
  }
}

/**
 * Changes what an address says beside its servers: user, password, parameters.
 *
 * @param text that `readPostgresUrl` can read
 * @param change is given the address with its first server alone
 */
export function changedPostgresUrl(text: string, change: (url: URL) => void): string {
  const { scheme, user = '', hosts = '', rest = '' } = PARTS.exec(text)!.groups!
  const url = new URL(`${scheme}//${user}${hosts.split(',', 1)[0]}${rest}`)
  change(url)
  if (!hosts.includes(',')) return url.href
  const { username, password, pathname, search } = url
  const who = password === '' ? username : `${username}:${password}`
  return `${scheme}//${who && `${who}@`}${hosts}${pathname}${search}`
}

const PARTS = /^(?<scheme>postgres(?:ql)?:)\/\/(?<user>[^/?#]*@)?(?<hosts>[^/?#@]*)(?<rest>[/?#].*)?$/s
const ATTRS = 'target_session_attrs'
const PORT = 5432

function isEscaped(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined
  } catch {
    return false
  }
}

/** One address for each server that the parameters `host` and `port` list; itself when they list none. */
function eachOfParameters(url: URL): URL[] {
  const hosts = url.searchParams.get('host')?.split(',') ?? []
  const ports = url.searchParams.get('port')?.split(',') ?? []
  if (hosts.length < 2) return [url]
  if (hosts.includes('') || (ports.length > 1 && ports.length !== hosts.length)) return []
  return hosts.map((host, i) => {
    const one = new URL(url)
    one.searchParams.set('host', host)
    const port = ports[i] ?? ports[0]
    if (port !== undefined) one.searchParams.set('port', port)
    return one
  })
}

function nameOf({ hostname, port, searchParams }: URL): string {
  const host = searchParams.get('host') ?? decodeURIComponent(hostname)
  if (host.startsWith('/')) return host
  return `${host || 'localhost'}:${searchParams.get('port') ?? (port || PORT)}`
}
