/**
 * A set of many texts that keeps 8 bytes of each: the keys of a file of millions of rows take tens of megabytes. Of
 * two texts in 2^64 it takes one for the other.
 */
export class KeySet {
  #slots = new Uint32Array(2 * 1024)
  #size = 0

  has(text: string): boolean {
    const [a, b] = hashOf(text)
    return this.#isFilled(this.#slotOf(a, b))
  }

  add(text: string): void {
    const [a, b] = hashOf(text)
    const slot = this.#slotOf(a, b)
    if (this.#isFilled(slot)) return
    this.#slots[slot] = a
    this.#slots[slot + 1] = b
    this.#size++
    if (this.#size * 3 > this.#slots.length) this.#grow()
  }

  /** Where the hash is, or the free place where it belongs. */
  #slotOf(a: number, b: number): number {
    const mask = this.#slots.length / 2 - 1
    for (let at = a & mask; ; at = (at + 1) & mask) {
      const slot = 2 * at
      if (!this.#isFilled(slot) || (this.#slots[slot] === a && this.#slots[slot + 1] === b)) return slot
    }
  }

  #isFilled(slot: number): boolean {
    return this.#slots[slot] !== 0 || this.#slots[slot + 1] !== 0
  }

  #grow(): void {
    const old = this.#slots
    this.#slots = new Uint32Array(2 * old.length)
    for (let slot = 0; slot < old.length; slot += 2) {
      const [a, b] = [old[slot]!, old[slot + 1]!]
      if (a === 0 && b === 0) continue
      const place = this.#slotOf(a, b)
      this.#slots[place] = a
      this.#slots[place + 1] = b
    }
  }
}

/** Two mixes of 32 bits, never both zero. */
function hashOf(text: string): [a: number, b: number] {
  let a = 0x9e3779b9
  let b = 0x85ebca6b
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0xc2b2ae35)
    b ^= b >>> 15
  }
  a ^= a >>> 16
  b ^= b >>> 13
  return [a >>> 0, b >>> 0 || 1]
}
