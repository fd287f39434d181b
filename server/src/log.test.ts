import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setClock } from './clock.ts'
import { createLog, type Log } from './log.ts'
import type { LogLevel } from './settings/settings.ts'

test('a line is one JSON object with level, UTC time and message', (t) => {
  t.after(setClock(() => Date.UTC(2026, 4, 14, 9, 30)))
  assert.deepEqual(
    logged((log) => log.info({ org: 'o1' }, 'Started.')),
    [{ level: 'info', time: '2026-05-14T09:30:00.000Z', org: 'o1', msg: 'Started.' }],
  )
})

test('lines below the level are not written', () => {
  const levels = logged((log) => {
    log.info('a')
    log.warn('b')
    log.error('c')
  }, 'warn').map(({ level }) => level)
  assert.deepEqual(levels, ['warn', 'error'])
})

test('CR, LF, ESC and quotes in any input make no second line', () => {
  const nasty = 'a\r\n{"level":"fatal"}\u001b[2J\u009b\u2028"\\'
  const lines = linesOf((log) => log.info({ [nasty]: nasty, err: new Error(nasty) }, nasty))
  assert.equal(lines.length, 1)
  assert.match(lines[0]!, /^[\x20-\x7e]+\n$/)
  assert.equal(JSON.parse(lines[0]!).msg, nasty)
})

test('a request is logged without its query, headers and body', () => {
  const req = {
    method: 'GET',
    url: '/api/v1/contacts?q=sentinel',
    ip: '192.0.2.1',
    headers: { authorization: 'Bearer sentinel' },
    body: 'sentinel',
  }
  const [line] = logged((log) => log.info({ req, res: { statusCode: 200, headers: { 'set-cookie': 'sentinel' } } }))
  assert.deepEqual(line?.req, { method: 'GET', path: '/api/v1/contacts', address: '192.0.2.1' })
  assert.deepEqual(line?.res, { status: 200 })
})

test('an error is logged with its causes, but not with what a database adds to it', () => {
  const root = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (hash)=(sentinel)' })
  const err = new AggregateError([root], 'both failed', { cause: root })
  const text = linesOf((log) => log.error(err)).join('')
  assert.doesNotMatch(text, /sentinel/)
  const line = JSON.parse(text)
  assert.equal(line.err.message, 'both failed')
  assert.equal(line.err.cause.code, '23505')
  assert.equal(line.err.errors[0].message, 'duplicate key')
})

test('an error that is its own cause is logged', () => {
  const err = new Error('round')
  err.cause = err
  assert.equal(logged((log) => log.error({ err })).length, 1)
})

test('tokens, secrets, passwords and cookies never get into a line, however deep', () => {
  const text = linesOf((log) => {
    log.info({ a: { b: { headers: { Authorization: 'Bearer sentinel', cookie: 'x="sentinel\\' } } } })
    log.info({ password: 'sentinel', nested: [{ secret: 'sentinel' }], 'set-cookie': ['sentinel', 'sentinel'] })
    log.child({ token: 'sentinel' }).info('token kith_1a2b3c4sentinel, secret whsec_sentinel==')
    log.error(new Error('connect postgres://kith:sentinel@db/kith failed'))
  }).join('')
  assert.doesNotMatch(text, /sentinel/)
  assert.match(text, /token kith_1a2b3c4…, secret whsec_…/)
  for (const line of text.trim().split('\n')) JSON.parse(line)
})

function logged(work: (log: Log) => void, level?: LogLevel): Record<string, unknown>[] {
  return linesOf(work, level).map((line) => JSON.parse(line))
}

function linesOf(work: (log: Log) => void, level: LogLevel = 'info'): string[] {
  const lines: string[] = []
  work(createLog(level, { write: (line) => lines.push(line) }))
  return lines
}
