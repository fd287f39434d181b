import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type KeyPress, keysText, NO_SEQUENCE, nextKey, type SequenceState } from './key-sequence.ts'

const BINDINGS = ['c', 't', 'g c', 'g d', 'mod+k', '?']

function typed(...presses: (Partial<KeyPress> & { pauseMs?: number; isPlainAllowed?: boolean })[]) {
  let state: SequenceState = NO_SEQUENCE
  let nowMs = 0
  return presses.map(({ pauseMs = 100, isPlainAllowed = true, ...press }) => {
    nowMs += pauseMs
    const whole = { key: '', ctrlKey: false, metaKey: false, altKey: false, ...press }
    const found = nextKey(state, whole, BINDINGS, { nowMs, isPlainAllowed })
    state = found.state
    return found.binding
  })
}

test('a key runs its command, with or without Caps Lock', () => {
  assert.deepEqual(typed({ key: 'c' }, { key: 'C' }, { key: 'x' }), ['c', 'c', undefined])
})

test('g then c is one command, and not that of c', () => {
  assert.deepEqual(typed({ key: 'g' }, { key: 'c' }, { key: 'c' }), [undefined, 'g c', 'c'])
})

test('a sequence is over after a pause or a key that does not go on', () => {
  assert.deepEqual(typed({ key: 'g' }, { key: 'c', pauseMs: 2000 }), [undefined, 'c'])
  assert.deepEqual(typed({ key: 'g' }, { key: 'x' }, { key: 'd' }), [undefined, undefined, undefined])
})

test('in a field only keys with Ctrl or ⌘ count', () => {
  const inField = { isPlainAllowed: false }
  assert.deepEqual(typed({ key: 'c', ...inField }), [undefined])
  assert.deepEqual(typed({ key: 'k', ctrlKey: true, ...inField }), ['mod+k'])
  assert.deepEqual(typed({ key: 'k', metaKey: true, ...inField }), ['mod+k'])
})

test('with Alt, and with Ctrl where nothing is bound, the key is left to the browser', () => {
  assert.deepEqual(typed({ key: 'c', altKey: true }), [undefined])
  assert.deepEqual(typed({ key: 'c', ctrlKey: true }), [undefined])
})

test('keys are written as they are on the keyboard', () => {
  assert.deepEqual(
    [keysText('mod+k', false), keysText('mod+k', true), keysText('g c', false)],
    ['Ctrl K', '⌘K', 'g then c'],
  )
})
