/** Chance that a seed repeats: a linear congruential generator is enough to choose test data with. */
export function seededRandom(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  /** From 0 up to, but not, `below`. */
  const whole = (below: number) => Math.floor(next() * below)
  return {
    whole,
    chance: (part: number) => next() < part,
    /** One of them, of an empty list undefined. */
    of: <T>(list: readonly T[]): T => list[whole(list.length)]!,
  }
}
