/** Keeps what was measured, and writes the page that shows it. Each bench's is replaced alone, with its commit and date. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { barsSvg } from './bars.ts'
import type { Outcome } from './outcome.ts'
import { shown } from './statistics.ts'
import { markdownTable, type Table } from './table.ts'
import { judged, type Target } from './targets.ts'

const PROFILES = 'profiles'

/** What is known of one bench. */
export interface Result extends Outcome {
  claim: string
  machine: string
  commit: string
  /** ISO 8601. */
  date: string
  isFull: boolean
  seconds: number
}

/** Where results lie: their page, their numbers, and their plots. */
export class Results {
  readonly #folder: string
  readonly #page: string

  constructor(folder: string, page: string) {
    this.#folder = folder
    this.#page = page
  }

  put(name: string, result: Result): void {
    mkdirSync(this.#folder, { recursive: true })
    const all = { ...this.#read(), [name]: result }
    writeFileSync(this.#numbers, `${JSON.stringify(all, null, 2)}\n`)
    if (result.bars) writeFileSync(join(this.#folder, `${name}.svg`), barsSvg(result.bars))
  }

  /** @param order of the benches that there are: what is kept of others is left out */
  write(title: string, order: readonly string[], plotsPath: string): void {
    const all = this.#read()
    const names = order.filter((name) => all[name] !== undefined)
    const results = Object.fromEntries(names.map((name) => [name, all[name]!]))
    const hasProfile = (name: string) => existsSync(this.profileOf(name))
    writeFileSync(this.#page, page(title, results, { path: plotsPath, hasProfile }))
  }

  /** Path of the flame graph of one bench. */
  profileOf(name: string): string {
    return join(this.#folder, PROFILES, `${name}.svg`)
  }

  get #numbers(): string {
    return join(this.#folder, 'results.json')
  }

  #read(): Record<string, Result> {
    return existsSync(this.#numbers) ? JSON.parse(readFileSync(this.#numbers, 'utf8')) : {}
  }
}

/** What is drawn. */
export interface Plots {
  /** From the page to their folder. */
  path: string
  hasProfile(name: string): boolean
}

/** The whole page. */
export function page(title: string, results: Record<string, Result>, plots: Plots): string {
  const entries = Object.entries(results)
  const machines = [...new Set(entries.map(([, { machine }]) => machine))]
  const parts = [
    `# ${title}`,
    'Written by the command that measures; see [README.md](README.md) for how to read it.',
    machines.map((machine) => `- ${machine}`).join('\n'),
    '## What was to be reached',
    markdownTable(targetTable(entries.map(([, { figures }]) => figures))),
    ...entries.flatMap(([name, result]) => section(name, result, plots)),
  ]
  return `${parts.join('\n\n')}\n`
}

export function targetTable(figures: readonly Outcome['figures'][]): Table {
  const rows = judged(Object.assign({}, ...figures)).map(({ target, value, isMet }) => [
    target.work,
    target.figure,
    bound(target),
    value,
    isMet ? 'yes' : '**no**',
  ])
  return { titles: ['work', 'figure', 'to reach', 'reached', 'met'], rows }
}

function section(name: string, result: Result, { path, hasProfile }: Plots): string[] {
  const { claim, setting, tables, bars, notes = [], commit, date, isFull, seconds } = result
  const took = `${isFull ? 'full' : 'short'} run, ${Math.round(seconds)} s, ${commit}, ${date.slice(0, 10)}`
  return [
    `## ${name}`,
    `${claim} ${setting} (${took})`,
    ...tables.map(markdownTable),
    ...notes,
    ...(bars ? [`![${bars.title}](${path}/${name}.svg)`] : []),
    ...(hasProfile(name) ? [`[Where the time goes](${path}/${PROFILES}/${name}.svg), a flame graph.`] : []),
  ]
}

function bound({ most, least }: Target): string {
  return [least !== undefined && `≥ ${shown(least)}`, most !== undefined && `≤ ${shown(most)}`]
    .filter(Boolean)
    .join(', ')
}
