import assert from 'node:assert/strict'
import { test } from 'node:test'
import { barsSvg } from './bars.ts'

const SVG = barsSvg({
  title: 'µs < ms & more',
  bars: [
    { name: 'bare server', value: 10 },
    { name: 'Kith', value: 20, remark: '× 2.00', isOurs: true },
  ],
})

test('a plot has a title and a text that says what its bars say', () => {
  assert.match(SVG, /role="img" aria-labelledby="title what"/)
  assert.match(SVG, /<title id="title">µs &lt; ms &amp; more<\/title>/)
  assert.match(SVG, /<desc id="what">bare server: 10; Kith: 20 \(× 2\.00\)<\/desc>/)
})

test('bars are as long as their values, and those of Kith have a colour of their own', () => {
  const widths = [...SVG.matchAll(/<rect class="(\w+)" .*? width="(\d+)"/g)].map(([, kind, width]) => [
    kind,
    Number(width),
  ])
  assert.deepEqual(widths, [
    ['other', 160],
    ['ours', 320],
  ])
})

test('colours follow the page, light or dark', () => {
  assert.match(SVG, /@media \(prefers-color-scheme: dark\)/)
})
