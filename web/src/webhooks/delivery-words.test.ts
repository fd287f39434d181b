import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import type { LoggedDelivery } from '@server/webhooks/ui-schema.ts'
import { deliveryCurl } from './delivery-curl.ts'
import { outcomeText, prettyJson, sentenceOf, timingRows } from './delivery-words.ts'

const DELIVERED: LoggedDelivery = {
  id: '0',
  subscription_id: '1',
  subscription_url: 'https://example.com/',
  event: 'contact.created',
  is_test: false,
  contact: null,
  status: 'delivered',
  response_status: 204,
  error: null,
  attempts: 1,
  duration_ms: 84,
  created_at: '2026-05-14T09:30:00.000Z',
  finished_at: '2026-05-14T09:30:00.084Z',
}
const FAILED: LoggedDelivery = {
  ...DELIVERED,
  status: 'failed',
  response_status: null,
  error: 'No answer within 10 s.',
}
const WAITING: LoggedDelivery = { ...DELIVERED, status: 'pending', response_status: null, attempts: 0 }

test('a row tells the status code or the reason, the panel a sentence', () => {
  assert.deepEqual([outcomeText(DELIVERED), sentenceOf(DELIVERED)], ['204', 'Answered 204 in 84 ms.'])
  assert.deepEqual([outcomeText(FAILED), sentenceOf(FAILED)], [FAILED.error, FAILED.error])
  assert.deepEqual([outcomeText(WAITING), sentenceOf(WAITING)], ['', 'Waiting to be sent.'])
  assert.equal(sentenceOf({ ...WAITING, attempts: 1 }), 'Waiting to be sent again.')
})

test('timings that did not happen are left out', () => {
  const timings = { resolve_ms: null, connect_ms: 1.5, tls_ms: null, first_byte_ms: 20 }
  const attempt = { number: 1, started_at: '', duration_ms: 25, delivered: true, response_status: 200, error: null }
  const request = { url: '', request_headers: [], response_headers: null, response_body: null }
  assert.deepEqual(
    timingRows({ ...attempt, ...request, timings }).map(({ name }) => name),
    ['Connect', 'First byte', 'In all'],
  )
})

test('JSON is laid out, anything else stays as it is', () => {
  assert.equal(prettyJson('{"a":[1]}'), '{\n  "a": [\n    1\n  ]\n}')
  assert.equal(prettyJson('<b>no</b>'), '<b>no</b>')
})

test('the curl command hands over every byte as it was signed', {
  skip: spawnSync('sh', ['-c', ':']).error && 'no sh',
}, () => {
  const body = `{"a":"it's \\"$HOME\\" \`x\` ü\\n"}`
  const command = deliveryCurl({ url: "https://example.com/?a='b'", headers: [['X-Own', "o'clock"]], body })
  const { stdout } = spawnSync('sh', ['-c', command.replace('curl', `printf '%s\\n'`)], { encoding: 'utf8' })
  assert.deepEqual(stdout.split('\n').slice(0, -1), [
    ...['-X', 'POST', "https://example.com/?a='b'", '-H', "X-Own: o'clock", '--data-binary', body],
  ])
})
