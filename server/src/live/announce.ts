import type { Tx } from '../database/engine.ts'
import { hint } from '../database/hints.ts'
import type { ChangeKind } from './schema.ts'

/** What every topic of an announcement begins with. */
const PREFIX = 'live'

/** What an open page hears about: something of this kind is new, changed or gone; without an id, any of them. */
export interface Change {
  kind: ChangeKind
  id: string | null
}

/**
 * Tells the open pages of an org, after the commit, that something has changed which no event tells about. It is a hint
 * and may be lost: a page that must be right looks for itself now and then.
 *
 * @param id what changed; the subscription's for `delivery`; null when it is many, or the only one of its kind
 */
export function announce(tx: Tx, orgId: string, kind: ChangeKind, id: string | null): void {
  hint(tx, `${PREFIX} ${orgId} ${kind} ${id ?? ''}`)
}

/** @returns what a topic announces; undefined for a topic of others */
export function announced(topic: string): (Change & { orgId: string }) | undefined {
  const [prefix, orgId, kind, id] = topic.split(' ')
  if (prefix !== PREFIX || orgId === undefined) return undefined
  return { orgId, kind: kind as ChangeKind, id: id || null }
}
