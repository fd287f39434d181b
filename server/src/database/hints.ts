/**
 * Hints tell listeners, after a commit, that there is something new to look at. They may be lost: every listener
 * polls too, and a hint only shortens its wait.
 */
import type { Tx } from './schema.ts'

export type HintListener = (topic: string) => void

const topicsOf = new WeakMap<Tx, Set<string>>()

/** Announces `topic` (`deliveries`, …) to this program's processes once the transaction has committed. */
export function hint(tx: Tx, topic: string): void {
  const topics = topicsOf.get(tx)
  if (topics) topics.add(topic)
  else topicsOf.set(tx, new Set([topic]))
}

/** @returns what was hinted at in the transaction; for the engines */
export function hintsOf(tx: Tx): Iterable<string> {
  return topicsOf.get(tx) ?? []
}

export class HintBoard {
  readonly #listeners = new Set<HintListener>()

  /** @returns what ends the listening */
  listen(listener: HintListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  tell(topics: Iterable<string>): void {
    for (const topic of topics) for (const listener of this.#listeners) listener(topic)
  }
}
