import { LANE_IMPORT, LANE_LIVE } from '../actor.ts'
import type { Reader } from '../database/engine.ts'
import { readyDeliveries, readyInLane } from './due-store.ts'
import type { LeaseKey } from './lease-store.ts'
import { Seldom } from './seldom.ts'

export interface ReadyDelivery {
  id: string
  lane: number
  seq: number
}

/**
 * Looks for what a subscription has ready, from the beginning where that is cheap. Where it is dear, most looks begin
 * at what was the first the last time. What becomes ready before that place is met by the next look from the beginning:
 * what is sent again, or committed later than what came after it. The next of a queue is none of these, since it lies
 * behind a head that had not ended yet.
 */
export class ReadyScan {
  readonly #key: LeaseKey
  readonly #wholeLooks: Pick<Seldom, 'isDue' | 'run'>
  readonly #fromSeq = new Map<number, number>()

  constructor(key: LeaseKey, wholeLooks: Pick<Seldom, 'isDue' | 'run'> = new Seldom()) {
    this.#key = key
    this.#wholeLooks = wholeLooks
  }

  /** The heads of its queues, live lane first. */
  async look(db: Reader, max: number): Promise<ReadyDelivery[]> {
    const ready = this.#wholeLooks.isDue
      ? await this.#wholeLooks.run(() => readyDeliveries(db, { ...this.#key, max }))
      : await this.#lookOn(db, max)
    for (const { lane, seq } of ready.toReversed()) this.#fromSeq.set(lane, seq)
    return ready
  }

  async #lookOn(db: Reader, max: number): Promise<ReadyDelivery[]> {
    const ready = await this.#lookOnIn(db, LANE_LIVE, max)
    if (ready.length < max) ready.push(...(await this.#lookOnIn(db, LANE_IMPORT, max - ready.length)))
    return ready
  }

  #lookOnIn(db: Reader, lane: number, max: number): Promise<ReadyDelivery[]> {
    return readyInLane(db, { ...this.#key, lane, fromSeq: this.#fromSeq.get(lane) ?? 0, max })
  }
}
