import assert from 'node:assert/strict'
import { test } from 'node:test'
import { flameSvg } from './flame.ts'
import { callsOf, type Profile, selfTable } from './profile.ts'

const URLS = {
  route: 'file:///somewhere/server/src/contacts/routes.ts',
  fastify: 'file:///somewhere/node_modules/fastify/lib/reply.js',
  node: 'node:net',
  loading: 'node:internal/modules/esm/loader',
}

/** A route (10 µs) that writes (30) by way of fastify (20), beside idle time and the loading of a module. */
const PROFILE: Profile = {
  nodes: [
    { id: 1, callFrame: { functionName: '(root)', url: '' }, children: [2, 3, 6] },
    { id: 2, callFrame: { functionName: '(idle)', url: '' } },
    { id: 3, callFrame: { functionName: 'answer<T>', url: URLS.route }, children: [4] },
    { id: 4, callFrame: { functionName: 'send', url: URLS.fastify }, children: [5] },
    { id: 5, callFrame: { functionName: '', url: URLS.node } },
    { id: 6, callFrame: { functionName: 'import', url: URLS.loading }, children: [7] },
    { id: 7, callFrame: { functionName: '', url: URLS.route } },
  ],
  samples: [2, 3, 4, 5, 2, 6, 7],
  timeDeltas: [1_000, 10, 20, 30, 5_000, 700, 900],
}

test('time is counted for a call and for all that called it, and time that is idle or loads modules for nobody', () => {
  const root = callsOf('main thread', [PROFILE, PROFILE])
  assert.equal(root.us, 120)
  const [route] = root.calls
  assert.deepEqual(
    [route!.name, route!.place, route!.isOurs, route!.us],
    ['answer<T>', 'contacts/routes.ts', true, 120],
  )
  const [send] = route!.calls
  assert.deepEqual([send!.place, send!.isOurs, send!.us], ['fastify', false, 100])
  assert.deepEqual([send!.calls[0]!.name, send!.calls[0]!.us], ['(anonymous)', 60])
})

test('the table has what functions took themselves, the longest first', () => {
  const thread = callsOf('main thread', [PROFILE])
  const rows = selfTable({ ...thread, calls: [thread] }).rows.map(([name, share]) => [name, Math.round(Number(share))])
  assert.deepEqual(rows, [
    ['(anonymous), node:net', 50],
    ['send, fastify', 33],
    ['answer<T>, contacts/routes.ts', 17],
  ])
})

test('a flame graph has a box as wide as its time for each call, below its caller, and says what it is', () => {
  const svg = flameSvg('GET & more', callsOf('main thread', [PROFILE]))
  assert.match(svg, /<title id="title">GET &amp; more<\/title>/)
  assert.match(svg, /<title>answer&lt;T&gt;, contacts\/routes\.ts: 100 %<\/title><rect class="ours"/)
  assert.match(svg, /<title>send, fastify: 83\.3 %<\/title>/)
  const boxes = [...svg.matchAll(/<rect.*? y="(\d+)" width="([\d.]+)"/g)].map(([, y, width]) => [
    Number(y),
    Number(width),
  ])
  assert.deepEqual(boxes, [
    [34, 1200],
    [52, 1200],
    [70, 1000],
    [88, 600],
  ])
})

test('what took hardly any time is left out', () => {
  const brief = { ...PROFILE, timeDeltas: [1_000, 100_000, 10, 30, 5_000, 700, 900] }
  const svg = flameSvg('GET', callsOf('main thread', [brief]))
  assert.match(svg, /answer/)
  assert.doesNotMatch(svg, /send/)
})
