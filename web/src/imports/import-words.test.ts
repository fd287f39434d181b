import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkedSentence, countsText, plainReason, stepOf, undoSentence } from './import-words.ts'

const NONE = { rows_read: 0, rows_added: 0, rows_updated: 0, rows_skipped: 0, rows_rejected: 0 }

test('what a check came to is one sentence that leaves out what there is none of', () => {
  assert.equal(checkedSentence({ ...NONE, rows_added: 2 }), '2 will be added.')
  assert.equal(
    checkedSentence({ rows_read: 10_003, rows_added: 9_812, rows_updated: 140, rows_skipped: 3, rows_rejected: 48 }),
    `${(9812).toLocaleString()} will be added, 140 will be updated, 3 will be skipped, 48 have problems.`,
  )
  assert.match(checkedSentence({ ...NONE, rows_rejected: 1 }), /1 has a problem\.$/)
})

test('what was done is told in the past', () => {
  assert.equal(countsText({ ...NONE, rows_added: 2, rows_rejected: 1 }), '2 added, 1 with problems')
})

test('undoing says what it removes and what it puts back', () => {
  assert.equal(undoSentence({ removed: 1, restored: 0 }), 'Undoing removes 1 contact.')
  assert.equal(undoSentence({ removed: 0, restored: 1 }), 'Undoing puts 1 contact back as it was.')
  assert.equal(
    undoSentence({ removed: 2, restored: 3 }),
    'Undoing removes 2 contacts and puts 3 contacts back as they were.',
  )
  assert.equal(undoSentence({ removed: 0, restored: 0 }), 'Undoing removes 0 contacts.')
})

test('each state belongs to a step', () => {
  assert.deepEqual(
    (['uploading', 'uploaded', 'checking', 'checked', 'running', 'stopped', 'done', 'undone'] as const).map(stepOf),
    ['File', 'Columns', 'Check', 'Check', 'Import', 'Import', 'Done', 'Done'],
  )
})

test('reasons call the fields what the page calls them', () => {
  assert.equal(
    plainReason('email must be an e-mail address such as ada@example.com. deal_value must be an amount.'),
    'Email must be an e-mail address such as ada@example.com. Value must be an amount.',
  )
  assert.equal(plainReason('A contact needs a full_name or a company.'), 'A contact needs a Name or a company.')
  assert.equal(
    plainReason("deal_stage must be a stage of the org's pipeline."),
    "Stage must be a stage of the org's pipeline.",
  )
})
