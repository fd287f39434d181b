import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activityText, deletionText, duplicateText } from './contact-words.ts'

const ada = { id: 'x', full_name: 'Ada Lovelace', company: 'Acme', email: 'Ada@example.com' }

test('a possible duplicate is named by what is the same', () => {
  assert.equal(duplicateText(ada, {}), 'There is already an Ada Lovelace at Acme.')
  assert.equal(duplicateText({ ...ada, full_name: 'Grace', company: null }, {}), 'There is already a Grace.')
  assert.equal(duplicateText({ ...ada, full_name: null }, {}), 'There is already a contact Acme.')
  const given = { email: 'ada@EXAMPLE.com' }
  assert.equal(duplicateText(ada, given), 'Ada Lovelace has the address Ada@example.com already.')
})

test('a deletion says what goes with it, and nothing of what is not there', () => {
  assert.equal(
    deletionText({ activities: 12, deliveries: 1 }),
    'This also deletes 12 activities and 1 webhook delivery. It cannot be undone.',
  )
  assert.equal(deletionText({ activities: 0, deliveries: 0 }), 'It cannot be undone.')
})

test('a line of the history is a sentence for people', () => {
  const author = 'companies.csv'
  assert.equal(activityText({ kind: 'imported', body: 'Imported', author }), 'Imported from companies.csv')
  assert.equal(activityText({ kind: 'stage_changed', body: 'lead → won', author }), 'Stage: lead → won')
  assert.equal(activityText({ kind: 'note', body: 'Hello', author }), 'Hello')
})
