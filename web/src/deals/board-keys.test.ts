import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DealBoard } from '@server/deals/ui-schema.ts'
import { boardStep } from './board-keys.ts'

const board = boardOf({ lead: ['a', 'b', 'c'], qualified: [], won: ['d'] })
const press = (key: string, stage: string, at?: number) => boardStep({ key, isCommand: false }, board, { stage, at })
const command = (key: string, stage: string, at?: number) => boardStep({ key, isCommand: true }, board, { stage, at })

test('up and down go from card to card, and stop at the ends', () => {
  assert.deepEqual(press('ArrowDown', 'lead', 0), { do: 'focus', id: 'b', stage: 'lead' })
  assert.deepEqual(press('ArrowDown', 'lead', 2), { do: 'focus', id: 'c', stage: 'lead' })
  assert.deepEqual(press('ArrowUp', 'lead', 0), { do: 'focus', id: 'a', stage: 'lead' })
  assert.deepEqual(press('End', 'lead', 0), { do: 'focus', id: 'c', stage: 'lead' })
  assert.deepEqual(press('Home', 'lead', 2), { do: 'focus', id: 'a', stage: 'lead' })
})

test('left and right go to the next column, at the same height or its last card; an empty column takes the focus itself', () => {
  assert.deepEqual(press('ArrowRight', 'lead', 2), { do: 'focus column', stage: 'qualified' })
  assert.deepEqual(press('ArrowRight', 'qualified'), { do: 'focus', id: 'd', stage: 'won' })
  assert.deepEqual(press('ArrowLeft', 'qualified'), { do: 'focus', id: 'a', stage: 'lead' })
  assert.equal(press('ArrowLeft', 'lead', 0), undefined)
  assert.equal(press('ArrowRight', 'won', 0), undefined)
})

test('with Ctrl or ⌘ left and right move the card', () => {
  assert.deepEqual(command('ArrowRight', 'lead', 1), { do: 'move', id: 'b', stage: 'qualified' })
  assert.equal(command('ArrowLeft', 'lead', 1), undefined)
  assert.equal(command('ArrowRight', 'qualified'), undefined)
  assert.equal(command('ArrowDown', 'lead', 1), undefined)
})

test('Enter opens, m moves; other keys mean nothing', () => {
  assert.deepEqual(press('Enter', 'won', 0), { do: 'open', id: 'd' })
  assert.deepEqual(press('m', 'won', 0), { do: 'menu', id: 'd' })
  assert.equal(press('x', 'won', 0), undefined)
  assert.equal(press('Enter', 'qualified'), undefined)
})

function boardOf(columns: Record<string, string[]>): DealBoard {
  const made = Object.entries(columns).map(([stage, ids]) => ({
    stage,
    color: null,
    probability: null,
    listed: true,
    count: ids.length,
    total: 0,
    weighted: null,
    cards: ids.map((id) => ({
      id,
      full_name: id,
      company: null,
      deal_value: null,
      label: null,
      open_tasks: 0,
      overdue_tasks: 0,
    })),
  }))
  return { columns: made, hidden_stages: 0, count: 4, total: 0, weighted: null }
}
