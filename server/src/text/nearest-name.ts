/**
 * The name that was most likely meant.
 *
 * @returns the one of `names` with the fewest letters added, left out, changed or swapped with their neighbour, at most
 *   a third of them; the first of equals; undefined when none is that near
 */
export function nearestName(given: string, names: Iterable<string>): string | undefined {
  if (given.length > LENGTH_MAX) return undefined
  let nearest: string | undefined
  let distanceMax = Math.max(1, Math.floor(given.length / 3))
  for (const name of names) {
    const distance = typingDistance(given.toLowerCase(), name.toLowerCase())
    if (distance < distanceMax || (distance === distanceMax && nearest === undefined)) {
      nearest = name
      distanceMax = distance
    }
  }
  return nearest
}

/** What is suggested must have been typed by a person, and the work grows with the square of the length. */
const LENGTH_MAX = 64

/** Damerau-Levenshtein distance in its restricted form: no letter is moved twice. */
function typingDistance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      let distance = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (isSame ? 0 : 1))
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        distance = Math.min(distance, beforeLast[column - 2]! + 1)
      }
      current.push(distance)
    }
    beforeLast = last
    last = current
  }
  return last[to.length]!
}
