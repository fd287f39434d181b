/** Of an even number, the mean of the two in the middle. @throws RangeError when there is none */
export function median(values: readonly number[]): number {
  return part(values, 0.5)
}

/**
 * The value below which that part of all lies, between two of them where it falls between.
 *
 * @param fraction from 0 to 1
 * @throws RangeError when there is none
 */
export function part(values: readonly number[], fraction: number): number {
  if (values.length === 0) throw new RangeError('nothing was measured')
  const sorted = values.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * fraction
  const below = sorted[Math.floor(place)]!
  const above = sorted[Math.ceil(place)]!
  return below + (above - below) * (place - Math.floor(place))
}

/** A number for a reader: three digits that count, thousands with commas. */
export function shown(value: number): string {
  const size = Math.abs(value)
  if (size >= 100 || Number.isInteger(value)) return Math.round(value).toLocaleString('en-US')
  return value.toFixed(size >= 10 ? 1 : 2)
}
