/** What the writers know: of each contact, what was asked and what was acknowledged. */

export interface Written {
  /** Of the answer to its creation; undefined as long as nobody knows whether it is there. */
  id?: string
  hasKey: boolean
  /** Changes are numbered from 1: the number is the contact's phone. */
  changesAsked: number
  changeAcknowledged: number
  changesAcknowledged: number
  deletion: 'none' | 'asked' | 'acknowledged'
}

export class Ledger {
  /** By full_name, which no two contacts share. */
  readonly contacts = new Map<string, Written>()
  /** Answers that no fault of the database excuses: neither what was asked for, nor 503 with `Retry-After`. */
  readonly wrongAnswers: string[] = []
  readonly #gaps = new Map<string, Gap>()
  acknowledged = 0
  /** 503: Kith says that it cannot do it now. */
  refused = 0
  /** No answer came at all. */
  unanswered = 0
  /** Repeats under their `Idempotency-Key` that were answered with the first answer. */
  replayed = 0
  answerMsMax = 0

  begin(name: string, hasKey: boolean): Written {
    const written: Written = {
      hasKey,
      changesAsked: 0,
      changeAcknowledged: 0,
      changesAcknowledged: 0,
      deletion: 'none',
    }
    this.contacts.set(name, written)
    return written
  }

  /** A write was acknowledged by this node just now. */
  acknowledge(node: string): void {
    this.acknowledged++
    const gap = this.#gaps.get(node)
    if (!gap) return
    const now = performance.now()
    gap.msMax = Math.max(gap.msMax, now - gap.lastMs)
    gap.lastMs = now
    gap.count++
  }

  /** From now on the longest time without an acknowledged write is measured, for each of the nodes. */
  watch(nodes: string[]): void {
    for (const node of nodes) this.#gaps.set(node, { lastMs: performance.now(), msMax: 0, count: 0 })
  }

  /** @returns writes that this node has acknowledged since `watch` */
  acknowledgedBy(node: string): number {
    return this.#gaps.get(node)?.count ?? 0
  }

  /** @returns seconds for which the node that was worst off since `watch` acknowledged nothing */
  outageS(): number {
    const now = performance.now()
    const longest = [...this.#gaps.values()].map(({ lastMs, msMax }) => Math.max(msMax, now - lastMs))
    return Math.max(...longest) / 1000
  }

  /** Contacts of which nobody knows whether they were created. */
  get unknown(): number {
    return this.contacts
      .values()
      .filter(({ id }) => id === undefined)
      .toArray().length
  }
}

interface Gap {
  lastMs: number
  msMax: number
  count: number
}
