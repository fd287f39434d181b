/** What the receiver of webhooks has seen. */
import { type Hook, type Receiver, startReceiver } from '../support/receiver.ts'

export class Receipts {
  readonly hook: Hook
  /** How often each delivery came, by its id. */
  readonly #times = new Map<string, number>()
  /** Of each contact, the time of the newest event that has come. */
  readonly #newest = new Map<string, string>()
  readonly #deleted = new Set<string>()
  /** Deliveries that came for the first time after one of a later event of their contact. */
  outOfOrder = 0
  readonly #receiver: Receiver

  private constructor(receiver: Receiver) {
    this.#receiver = receiver
    this.hook = receiver.hook()
    this.hook.manner = ({ headers, json }) => {
      this.#note(String(headers['x-service-delivery']), json)
      this.hook.received.length = 0
      return {}
    }
  }

  static async start(): Promise<Receipts> {
    return new Receipts(await startReceiver())
  }

  has(deliveryId: string): boolean {
    return this.#times.has(deliveryId)
  }

  hasDeletionOf(contactId: string): boolean {
    return this.#deleted.has(contactId)
  }

  /** Deliveries that came more than once. */
  get repeated(): number {
    return this.#times
      .values()
      .filter((times) => times > 1)
      .toArray().length
  }

  get count(): number {
    return this.#times.size
  }

  close(): Promise<void> {
    return this.#receiver.close()
  }

  #note(deliveryId: string, { event, ts, payload }: Body): void {
    const times = this.#times.get(deliveryId) ?? 0
    this.#times.set(deliveryId, times + 1)
    if (times > 0) return
    const { id } = payload.contact
    if (ts <= (this.#newest.get(id) ?? '')) this.outOfOrder++
    else this.#newest.set(id, ts)
    if (event === 'contact.deleted') this.#deleted.add(id)
  }
}

interface Body {
  event: string
  ts: string
  payload: { contact: { id: string } }
}
