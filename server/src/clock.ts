/** The one source of the current time, so that tests can set it. */

let source: () => number = Date.now

/** Milliseconds since 1970, UTC. */
export function now(): number {
  return source()
}

/** ISO 8601, UTC, milliseconds and `Z`: the one written form of a time. */
export function toIso(ms: number): string {
  return new Date(ms).toISOString()
}

/** For tests: replaces the clock and returns what puts the old one back. */
export function setClock(replacement: () => number): () => void {
  const before = source
  source = replacement
  return () => {
    source = before
  }
}
