import assert from 'node:assert/strict'
import { test } from 'node:test'
import { choicesFor, choicesWith, NO_CHOICE } from './choices.ts'

const stages = ['lead', 'qualified', 'Deal', 'lost']

test('all are offered and none too, until something is typed', () => {
  assert.deepEqual(choicesFor(stages, '  '), [...stages, NO_CHOICE])
})

test('those that begin with the text come first, whatever the case', () => {
  assert.deepEqual(choicesFor(stages, 'L'), ['lead', 'lost', 'qualified', 'Deal'])
  assert.deepEqual(choicesFor(stages, 'xyz'), [])
})

test('what contacts have beyond the usual choices is offered after them, once', () => {
  assert.deepEqual(choicesWith(['hot', 'cold'], ['warm', null, 'hot', 'warm']), ['hot', 'cold', 'warm'])
})
