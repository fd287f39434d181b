import type { Change } from './announce.ts'
import { ADMIN_KINDS, type ChangeKind } from './schema.ts'

/** A page that is open somewhere. */
export interface Listener {
  orgId: string
  memberId: string
  sessionId: string
  isAdmin: boolean
  tell(change: Change): void
  /** Its session is over, or the server stops. */
  end(): void
}

const GATHER_MS = 50
/** Deliveries come by the thousand, and nobody reads so fast. */
const GATHER_DELIVERIES_MS = 500
/** More than so many of one kind at once are told as one: any of them. */
const IDS_MAX = 50

/** The open pages of one org. What changes is gathered for a moment, so that each thing is told once. */
export class Channel {
  readonly listeners = new Set<Listener>()
  readonly #gathered = new Map<ChangeKind, Set<string | null>>()
  readonly #timers = new Map<ChangeKind, NodeJS.Timeout>()

  note({ kind, id }: Change): void {
    const ids = this.#gathered.get(kind) ?? new Set()
    this.#gathered.set(kind, ids.add(id))
    if (this.#timers.has(kind)) return
    const gatherMs = kind === 'delivery' ? GATHER_DELIVERIES_MS : GATHER_MS
    this.#timers.set(
      kind,
      setTimeout(() => this.#tell(kind), gatherMs),
    )
  }

  /** What is gathered is told to nobody any more. */
  close(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer)
  }

  #tell(kind: ChangeKind): void {
    const ids = this.#gathered.get(kind)!
    this.#gathered.delete(kind)
    this.#timers.delete(kind)
    const told = ids.has(null) || ids.size > IDS_MAX ? [null] : ids
    for (const listener of this.listeners) {
      if (ADMIN_KINDS.has(kind) && !listener.isAdmin) continue
      for (const id of told) listener.tell({ kind, id })
    }
  }
}
