/** Horizontal bars as an SVG that reads on a light page and on a dark one. */
import { shown } from './statistics.ts'

export interface Bars {
  /** What the bars show, with the unit. */
  title: string
  bars: readonly {
    name: string
    value: number
    /** Stands behind the value: mostly a ratio to another bar. */
    remark?: string
    /** Of Kith, and so in its colour. */
    isOurs?: boolean
  }[]
}

const WIDTH = 720
const NAMES_WIDTH = 230
const REMARKS_WIDTH = 170
const ROW_HEIGHT = 26
const BAR_HEIGHT = 16
const TOP = 40

const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2933 }
  .title { font-weight: 600 }
  .ours { fill: #2f6f5e }
  .other { fill: #9aa5b1 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e4e7eb }
    .ours { fill: #4fb399 }
    .other { fill: #616e7c }
  }`

export function barsSvg({ title, bars }: Bars): string {
  const most = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE)
  const room = WIDTH - NAMES_WIDTH - REMARKS_WIDTH
  const texts = bars.map(({ value, remark }) => shown(value) + (remark === undefined ? '' : ` (${remark})`))
  const rows = bars.map(({ name, value, isOurs }, i) => {
    const top = TOP + i * ROW_HEIGHT
    const width = Math.max(1, Math.round((value / most) * room))
    const middle = top + BAR_HEIGHT - 3
    return `  <text x="${NAMES_WIDTH - 8}" y="${middle}" text-anchor="end">${escaped(name)}</text>
  <rect class="${isOurs ? 'ours' : 'other'}" x="${NAMES_WIDTH}" y="${top}" width="${width}" height="${BAR_HEIGHT}" rx="2"/>
  <text x="${NAMES_WIDTH + width + 8}" y="${middle}">${escaped(texts[i]!)}</text>`
  })
  const height = TOP + bars.length * ROW_HEIGHT + 8
  const described = bars.map(({ name }, i) => `${name}: ${texts[i]}`).join('; ')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title what">
  <title id="title">${escaped(title)}</title>
  <desc id="what">${escaped(described)}</desc>
  <style>${STYLE}
  </style>
  <text class="title" x="8" y="22" aria-hidden="true">${escaped(title)}</text>
${rows.join('\n')}
</svg>
`
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
