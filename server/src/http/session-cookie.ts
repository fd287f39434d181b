/** The cookie of a session. Pages cannot read it, and other sites cannot have it sent along with a change. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from './errors.ts'

/** Not every browser keeps `__Host-` cookies, which are `Secure`, of a page that came over plain HTTP. */
const NAME_OVER_TLS = '__Host-kith'
const NAME_ON_LOOPBACK = 'kith'

const AGE_S_MAX = 30 * 24 * 3_600
const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Lax'

/** What the cookie of a request holds. */
export function sessionSecret(request: FastifyRequest, baseUrl: string | null): string | undefined {
  const name = isOverTls(request, baseUrl) ? NAME_OVER_TLS : NAME_ON_LOOPBACK
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = pair.trim().split('=', 2)
    if (key === name) return value
  }
  return undefined
}

/**
 * Gives the browser the cookie of a new session.
 *
 * @throws ApiError `bad_request` over plain HTTP off loopback, where others could read it
 * @see security P7
 */
export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, baseUrl: string | null, secret: string) {
  requirePrivateWay(request, baseUrl)
  reply.header('set-cookie', cookie(isOverTls(request, baseUrl), secret, AGE_S_MAX))
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply, baseUrl: string | null): void {
  reply.header('set-cookie', cookie(isOverTls(request, baseUrl), '', 0))
}

/** @throws ApiError `bad_request` over plain HTTP off loopback: to be asked before a password is looked at */
export function requirePrivateWay(request: FastifyRequest, baseUrl: string | null): void {
  if (isOverTls(request, baseUrl) || isLoopbackName(request.hostname)) return
  const message =
    'Signing in needs https, since others could read along. Ask whoever runs this server for its https address.'
  throw new ApiError('bad_request', message)
}

function cookie(isSecure: boolean, value: string, ageS: number): string {
  const name = isSecure ? `${NAME_OVER_TLS}=${value}; Secure` : `${NAME_ON_LOOPBACK}=${value}`
  return `${name}; ${ATTRIBUTES}; Max-Age=${ageS}`
}

function isOverTls({ protocol, headers }: FastifyRequest, baseUrl: string | null): boolean {
  if (protocol === 'https') return true
  return baseUrl?.startsWith('https:') === true && headers.host === new URL(baseUrl).host
}

function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || name === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(name)
}
