/** Bars, columns over time, and an area. Each can be read as a table too. */
import './chart.css'
import { type CSSProperties, type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { areaPath, roundTop, stack } from './chart-scale.ts'
import { count } from './format.ts'
import type { StageColour } from './stage-colours.ts'

export type ChartTone = StageColour | 'accent' | 'ok' | 'danger' | 'warn'

export interface Bar {
  id: string
  label: string
  value: number
  tone?: ChartTone | undefined
  /** The value as it is written beside the bar. */
  text?: string | undefined
}

export interface BarChartProps {
  title: string
  bars: Bar[]
  /** Heads of the table: what the bars are, and what the values are. */
  heads?: [string, string] | undefined
  children?: ReactNode
}

/** Bars from left to right, each with its name and its number. */
export function BarChart({ title, bars, heads = ['Name', 'Value'], children }: BarChartProps) {
  const top = Math.max(1e-9, ...bars.map(({ value }) => value))
  const textOf = ({ text, value }: Bar) => text ?? count(value)
  return (
    <ChartFrame title={title} heads={heads} rows={bars.map((bar) => [bar.label, textOf(bar)])}>
      <ul className="chart-bars">
        {bars.map((bar) => (
          <li key={bar.id}>
            <span className="chart-name" title={bar.label}>
              {bar.label}
            </span>
            <span>
              <span
                className="chart-bar"
                style={{ ...colourOf(bar.tone), width: `${Math.max(0, (bar.value / top) * 100)}%` }}
              />
            </span>
            <span className="chart-value">{textOf(bar)}</span>
          </li>
        ))}
      </ul>
      {children}
    </ChartFrame>
  )
}

export interface ColumnSeries {
  name: string
  tone: ChartTone
  /** One for each of the chart's labels. */
  values: number[]
}

export interface ColumnChartProps {
  title: string
  /** When or what, for each column. */
  labels: string[]
  /** Stacked from the bottom up. */
  series: ColumnSeries[]
  height?: number | undefined
  /** Columns alone, 120 px wide: for a row of a list. The title is read aloud. */
  isSmall?: boolean | undefined
}

/** Columns over time. */
export function ColumnChart({ title, labels, series, height = 140, isSmall }: ColumnChartProps) {
  const sums = labels.map((_, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0))
  const top = roundTop(sums)
  const width = 100 / Math.max(1, labels.length)
  const saying = (at: number) =>
    `${labels[at]}: ${series.map(({ name, values }) => `${count(values[at] ?? 0)} ${name}`).join(', ')}`
  const totals = series.map(({ name, values }) => `${count(values.reduce((sum, value) => sum + value, 0))} ${name}`)
  const plot = (
    <div className="chart-plot" style={{ '--chart-height': `${height}px` } as CSSProperties}>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label={`${title}: ${totals.join(', ')}`}>
        {labels.map((label, at) => {
          const parts = stack(
            series.map(({ values }) => values[at] ?? 0),
            top,
          )
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place.
            <g key={`${label} ${at}`}>
              {parts.map(({ y, height: part }, which) =>
                part > 0 ? (
                  <rect
                    key={series[which]!.name}
                    x={at * width + width * 0.1}
                    width={width * 0.8}
                    y={y}
                    height={part}
                    style={{ fill: TONES[series[which]!.tone] }}
                  />
                ) : null,
              )}
              {isSmall ? null : (
                <rect className="chart-hit" x={at * width} width={width} y={0} height={100}>
                  <title>{saying(at)}</title>
                </rect>
              )}
            </g>
          )
        })}
        <line className="chart-base" x1={0} x2={100} y1={100} y2={100} />
      </svg>
    </div>
  )
  if (isSmall) return <div className="chart-small">{plot}</div>
  return (
    <ChartFrame
      title={title}
      heads={['Time', ...series.map(({ name }) => capital(name))]}
      rows={labels.map((label, at) => [label, ...series.map(({ values }) => count(values[at] ?? 0))])}
      legend={series}
    >
      {plot}
      <Axis labels={labels} />
    </ChartFrame>
  )
}

export interface AreaPoint {
  label: string
  value: number
  /** Refused or failed at that time: a mark on the base line. */
  marked?: number | undefined
}

export interface AreaChartProps {
  title: string
  points: AreaPoint[]
  /** What the values count: "requests". */
  unit: string
  limit?: { value: number; text: string } | undefined
  /** What marks mean: "refused". */
  markName?: string | undefined
  height?: number | undefined
}

/** A value over time, with a limit as a line. */
export function AreaChart({ title, points, unit, limit, markName = 'refused', height = 160 }: AreaChartProps) {
  const values = points.map(({ value }) => value)
  const top = roundTop(limit ? [...values, limit.value] : values)
  const { line, area } = areaPath(values, top)
  const width = 100 / Math.max(1, points.length)
  const hasMarks = points.some(({ marked }) => marked)
  const limitY = limit ? 100 - (limit.value / top) * 100 : 0
  const saying = ({ label, value, marked }: AreaPoint) =>
    `${label}: ${count(value)} ${unit}${marked ? `, ${count(marked)} ${markName}` : ''}`
  return (
    <ChartFrame
      title={title}
      heads={['Time', capital(unit), ...(hasMarks ? [capital(markName)] : [])]}
      rows={points.map(({ label, value, marked }) => [label, count(value), ...(hasMarks ? [count(marked ?? 0)] : [])])}
      legend={hasMarks ? [{ name: markName, tone: 'danger' }] : []}
    >
      <div className="chart-plot" style={{ '--chart-height': `${height}px` } as CSSProperties}>
        <svg
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          role="img"
          aria-label={`${title}: at most ${count(Math.max(0, ...values))} ${unit}${limit ? `; ${limit.text}` : ''}`}
        >
          <path className="chart-fill" d={area} />
          <path className="chart-stroke" d={line} />
          {limit ? <line className="chart-limit" x1={0} x2={100} y1={limitY} y2={limitY} /> : null}
          {points.map((point, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a point is its place.
            <g key={at}>
              {point.marked ? (
                <rect className="chart-mark" x={at * width} width={Math.max(width * 0.8, 0.4)} y={94} height={6} />
              ) : null}
              <rect className="chart-hit" x={at * width} width={width} y={0} height={100}>
                <title>{saying(point)}</title>
              </rect>
            </g>
          ))}
          <line className="chart-base" x1={0} x2={100} y1={100} y2={100} />
        </svg>
        {limit ? (
          <span className="chart-limit-text" style={{ top: `${limitY}%` }}>
            {limit.text}
          </span>
        ) : null}
      </div>
      <Axis labels={points.map(({ label }) => label)} />
    </ChartFrame>
  )
}

function ChartFrame({
  title,
  heads,
  rows,
  legend = [],
  children,
}: {
  title: string
  heads: string[]
  rows: string[][]
  legend?: { name: string; tone: ChartTone }[]
  children: ReactNode
}) {
  const [isTable, setTable] = useState(false)
  return (
    <figure className="chart">
      <figcaption className="chart-head">
        <span className="chart-title">{title}</span>
        <Button isSmall variant="quiet" onPress={() => setTable(!isTable)}>
          {isTable ? 'Show as chart' : 'Show as table'}
        </Button>
      </figcaption>
      {isTable ? (
        <table className="chart-table" aria-label={title}>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([label, ...texts], row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place.
              <tr key={row}>
                <td>{label}</td>
                {texts.map((text, column) => (
                  <td key={heads[column + 1]}>{text}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <>
          {children}
          {legend.length > 0 ? (
            <div className="chart-legend">
              {legend.map(({ name, tone }) => (
                <span key={name}>
                  <i style={colourOf(tone)} />
                  {capital(name)}
                </span>
              ))}
            </div>
          ) : null}
        </>
      )}
    </figure>
  )
}

/** The first, the middle and the last label: more do not fit a phone. */
function Axis({ labels }: { labels: string[] }) {
  if (labels.length < 2) return null
  return (
    <div className="chart-axis" aria-hidden="true">
      <span>{labels[0]}</span>
      {labels.length > 4 ? <span>{labels[Math.floor((labels.length - 1) / 2)]}</span> : null}
      <span>{labels.at(-1)}</span>
    </div>
  )
}

const TONES: Record<ChartTone, string> = {
  accent: 'var(--accent)',
  ok: 'var(--won-bar)',
  danger: 'var(--lost-bar)',
  warn: 'var(--negotiation-bar)',
  lead: 'var(--lead-bar)',
  qualified: 'var(--qualified-bar)',
  proposal: 'var(--proposal-bar)',
  negotiation: 'var(--negotiation-bar)',
  won: 'var(--won-bar)',
  lost: 'var(--lost-bar)',
}

function colourOf(tone: ChartTone = 'accent'): CSSProperties {
  return { '--chart-colour': TONES[tone] } as CSSProperties
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
