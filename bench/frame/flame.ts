/** A flame graph as an SVG: calls below their callers, each as wide as the time in it. */
import { escaped } from './bars.ts'
import { type Frame, titleOf } from './profile.ts'
import { shown } from './statistics.ts'

const WIDTH = 1200
const ROW_HEIGHT = 18
const TOP = 34
/** Narrower ones would be lines without a name. */
const PART_MIN = 0.004
const LETTER_WIDTH = 6.7
const LETTERS_MIN = 3

const STYLE = `
  text { font: 11px ui-monospace, monospace; fill: #1f2933 }
  .title { font: 600 13px system-ui, sans-serif }
  rect { fill: #d5dbe1; stroke: #fff }
  .ours { fill: #a5d6c7 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e4e7eb }
    rect { fill: #3e4c59; stroke: #1f2933 }
    .ours { fill: #2f6f5e }
  }`

export function flameSvg(title: string, root: Frame): string {
  const boxes: string[] = []
  let depthMax = 0
  const draw = (frame: Frame, x: number, depth: number) => {
    depthMax = Math.max(depthMax, depth)
    boxes.push(box(frame, { x, y: TOP + depth * ROW_HEIGHT, part: frame.us / root.us }))
    let left = x
    const widestFirst = [...frame.calls].sort((one, other) => other.us - one.us)
    for (const call of widestFirst.filter(({ us }) => us >= root.us * PART_MIN)) {
      draw(call, left, depth + 1)
      left += (call.us / root.us) * WIDTH
    }
  }
  draw(root, 0, 0)
  const height = TOP + (depthMax + 1) * ROW_HEIGHT + 4
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title">
<title id="title">${escaped(title)}</title>
<style>${STYLE}
</style>
<text class="title" x="4" y="20" aria-hidden="true">${escaped(title)}</text>
${boxes.join('\n')}
</svg>
`
}

function box(frame: Frame, { x, y, part }: { x: number; y: number; part: number }): string {
  const width = part * WIDTH
  const letters = Math.floor((width - 4) / LETTER_WIDTH)
  const name = titleOf(frame)
  const text = name.length > letters ? `${name.slice(0, letters - 1)}…` : name
  const label = letters < LETTERS_MIN ? '' : `<text x="${fixed(x + 2)}" y="${y + 13}">${escaped(text)}</text>`
  const rect = `<rect${frame.isOurs ? ' class="ours"' : ''} x="${fixed(x)}" y="${y}" width="${fixed(width)}" height="${ROW_HEIGHT}"/>`
  return `<g><title>${escaped(name)}: ${shown(part * 100)} %</title>${rect}${label}</g>`
}

function fixed(value: number): string {
  return value.toFixed(1)
}
