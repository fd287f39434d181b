import assert from 'node:assert/strict'
import { test } from 'node:test'
import { text } from '../settings/value-kinds.ts'
import { defineCommand } from './command.ts'
import { configCommand } from './config.ts'
import { helpOf } from './help.ts'

test('help fits into 80 columns', () => {
  for (const line of helpOf(['kith', 'config'], configCommand).split('\n')) assert.ok(line.length <= 80, line)
})

test('a long usage line is broken between options, never inside one', () => {
  const options = Object.fromEntries(
    ['first', 'second', 'third', 'fourth', 'fifth'].map((name) => [
      `${name}-option`,
      { kind: text('VALUE'), meaning: 'x' },
    ]),
  )
  const help = helpOf(
    ['kith', 'do'],
    defineCommand({ arguments: {}, options, details: [], examples: [], run: async () => {} }),
  )
  assert.equal(
    help.slice(0, help.indexOf('\n\n')),
    'Usage: kith do [--first-option VALUE] [--second-option VALUE]\n' +
      '       [--third-option VALUE] [--fourth-option VALUE] [--fifth-option VALUE]',
  )
})

test('help shows arguments, options with their standing, and examples', () => {
  const command = defineCommand({
    arguments: { file: { kind: text('FILE'), meaning: 'What to read.' } },
    options: {
      org: { kind: text('ID'), isRequired: true, meaning: 'Whose it is.' },
      plan: { kind: text('P'), fallback: 'pro', meaning: 'Its plan.' },
      again: { meaning: 'Once more.' },
    },
    details: ['Reads a file.'],
    examples: [{ command: 'kith read a.csv --org 1', does: 'Reads a.csv.' }],
    run: async () => {},
  })
  const help = helpOf(['kith', 'read'], command)
  assert.equal(
    help.slice(0, help.indexOf('Options of every command:')),
    `Usage: kith read FILE --org ID [--plan P] [--again]

Reads a file.

Arguments:
  FILE  What to read.

Options:
  --org ID  Whose it is. (required)
  --plan P  Its plan. (pro unless said)
  --again   Once more.

`,
  )
  assert.match(help, /\n\nExamples:\n {2}kith read a\.csv --org 1\n {6}Reads a\.csv\.\n$/)
})
