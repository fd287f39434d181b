/** Where things stand in a chart, as pure functions. */

/** The least round number (1, 2 or 5 times a power of ten) that is not under any of these. */
export function roundTop(values: number[]): number {
  const most = Math.max(0, ...values)
  if (most === 0) return 1
  const power = 10 ** Math.floor(Math.log10(most))
  return [1, 2, 5, 10].map((step) => step * power).find((top) => top >= most * 0.999_999)!
}

/** The outline of an area over `values`, evenly spread over a width of 100, with 0 at the bottom of a height of 100. */
export function areaPath(values: number[], top: number): { line: string; area: string } {
  if (values.length === 0) return { line: '', area: '' }
  const step = values.length > 1 ? 100 / (values.length - 1) : 0
  const points = values.map((value, at) => `${rounded(at * step)} ${rounded(100 - (value / top) * 100)}`)
  const line = `M${points.join('L')}`
  return { line, area: `${line}L${rounded((values.length - 1) * step)} 100L0 100Z` }
}

/** The parts of one column from the bottom up. */
export function stack(values: number[], top: number): { y: number; height: number }[] {
  let below = 0
  return values.map((value) => {
    const height = (value / top) * 100
    below += height
    return { y: rounded(100 - below), height: rounded(height) }
  })
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}
