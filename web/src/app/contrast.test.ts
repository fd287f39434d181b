import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { STAGE_COLOURS } from '../ui/stage-colours.ts'

const TEXT = 4.5
const SHAPE = 3
const STAGES = Object.keys(STAGE_COLOURS)

/** What stands on what, and the least contrast that WCAG 2.2 asks for: text (1.4.3), shapes (1.4.11). */
const PAIRS: [front: string, back: string, least: number][] = [
  ...grounds('text', TEXT),
  ...grounds('text-2', TEXT),
  ...grounds('accent', TEXT),
  ...grounds('danger', TEXT),
  ...grounds('line-strong', SHAPE),
  ...grounds('focus', SHAPE),
  ['text', 'accent-soft', TEXT],
  ['accent', 'accent-soft', TEXT],
  ['danger', 'danger-soft', TEXT],
  ['text', 'danger-soft', TEXT],
  ['text-2', 'danger-soft', TEXT],
  ['warn', 'bg', TEXT],
  ['warn', 'warn-soft', TEXT],
  ['text', 'warn-soft', TEXT],
  ['ok', 'bg', TEXT],
  ['ok', 'ok-soft', TEXT],
  ['text', 'ok-soft', TEXT],
  ['on-fill', 'fill', TEXT],
  ['fill', 'bg', SHAPE],
  ['focus', 'accent-soft', SHAPE],
  ['text-2', 'map-land', TEXT],
  ['text-2', 'map-water', TEXT],
  ['focus', 'map-water', SHAPE],
  ...STAGES.flatMap((stage): [string, string, number][] => [
    [`${stage}-text`, `${stage}-soft`, 7],
    [`${stage}-bar`, 'bg', SHAPE],
    [`${stage}-bar`, 'surface', SHAPE],
  ]),
]

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')

for (const theme of ['light', 'dark'] as const) {
  const tokens = tokensOf(css, theme)
  for (const [front, back, least] of PAIRS) {
    test(`${theme}: ${front} on ${back} has a contrast of ${least} or more`, () => {
      const found = contrast(colour(tokens, front), colour(tokens, back))
      assert.ok(found >= least, `it is ${found.toFixed(2)}`)
    })
  }
}

test('the colours that the server keeps for stages are those of the bars', () => {
  const tokens = tokensOf(css, 'light')
  for (const [stage, bar] of Object.entries(STAGE_COLOURS)) assert.equal(tokens.get(`${stage}-bar`), bar)
})

test('contrast is that of WCAG: black on white is 21, a colour on itself 1', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21)
  assert.equal(contrast('#2f4bc7', '#2f4bc7'), 1)
  assert.equal(contrast('#767676', '#ffffff').toFixed(2), '4.54')
})

function grounds(front: string, least: number): [string, string, number][] {
  return ['bg', 'surface', 'surface-2'].map((back) => [front, back, least])
}

function tokensOf(text: string, theme: 'light' | 'dark'): Map<string, string> {
  const pairs = text.matchAll(/--([\w-]+): (?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}));/g)
  return new Map([...pairs].map(([, name, light, dark, both]) => [name!, both ?? (theme === 'light' ? light! : dark!)]))
}

function colour(tokens: Map<string, string>, name: string): string {
  const found = tokens.get(name)
  assert.ok(found, `there is no colour --${name} in tokens.css`)
  return found
}

/** @see https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light! + 0.05) / (dark! + 0.05)
}

function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}
