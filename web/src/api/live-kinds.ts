/** What a message of the live stream makes stale. */

export interface LiveMessage {
  kind: string
  /** Undefined or null: more than one record, or not known which. */
  id: string | null
}

const PREFIXES: Record<string, string[]> = {
  contact: ['contacts', 'deals', 'tasks', 'places'],
  task: ['tasks', 'deals'],
  delivery: ['deliveries', 'webhooks'],
  import: ['imports', 'import', 'places'],
  org: ['session', 'org'],
  token: ['tokens'],
  webhook: ['webhooks'],
  member: ['members', 'session'],
  view: ['views', 'session'],
}

/**
 * The query keys that are out of date after these messages, each once.
 *
 * A task does not say whose it is, so every contact page that is open asks again.
 */
export function staleKeys(messages: LiveMessage[]): string[][] {
  const keys = new Map<string, string[]>()
  const add = (...key: string[]) => keys.set(key.join('\n'), key)
  for (const { kind, id } of messages) {
    for (const prefix of PREFIXES[kind] ?? []) add(prefix)
    if (kind === 'contact' && id) add('contact', id)
    else if (kind === 'contact' || kind === 'task') add('contact')
  }
  return [...keys.values()]
}
