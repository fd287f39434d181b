import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stageCounts } from './stage-counts.ts'

test('the stage of most contacts comes first, those without one last', () => {
  const contacts = ['won', null, 'lead', null, null, 'lead'].map((deal_stage) => ({ deal_stage }))
  assert.deepEqual(stageCounts(contacts), [
    { stage: 'lead', contacts: 2 },
    { stage: 'won', contacts: 1 },
    { stage: null, contacts: 3 },
  ])
  assert.deepEqual(stageCounts([]), [])
})
