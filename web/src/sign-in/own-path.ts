/**
 * Where to go after signing in: the page that was asked for, if it is one of ours.
 *
 * @param asked what stands in the address, so anybody may have written it
 * @returns path and query, `/` for all that could lead elsewhere
 * @see security P10
 */
export function ownPath(asked: string | undefined): string {
  if (asked === undefined || !OWN.test(asked)) return '/'
  const { origin, pathname, search, hash } = new URL(asked, BASE)
  // What a browser makes of it counts, so what it was made of is taken, and not what was written.
  if (origin !== BASE || pathname.startsWith('//') || ENTRANCES.test(pathname)) return '/'
  return pathname + search + hash
}

const BASE = 'http://kith.invalid'

/** One slash in front, and nothing that a browser drops or turns into one: control characters and backslashes. */
const OWN = /^\/(?!\/)[^\\\p{Cc}]*$/u

const ENTRANCES = /^\/(?:sign-in|setup|invitation|reset|ui|api)(?:\/|$)/
