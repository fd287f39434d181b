import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DealBoard, DealCard, DealColumn } from '@server/deals/ui-schema.ts'
import { compareCards, moveCard, placeOf, withMoreCards } from './board-state.ts'

test('a card goes to its place by value, and both columns count and sum anew', () => {
  const board = boardOf({ lead: [card('a', 50), card('b', 10)], won: [card('c', 80), card('d', 20), card('e', null)] })
  const moved = moveCard(board, 'a', 'won')!
  assert.deepEqual(shown(moved.board), { lead: ['b'], won: ['c', 'a', 'd', 'e'] })
  assert.deepEqual([moved.place, moved.count], [2, 4])
  assert.deepEqual(
    moved.board.columns.map(({ count, total }) => [count, total]),
    [
      [1, 10],
      [4, 150],
    ],
  )
  assert.deepEqual(shown(board), { lead: ['a', 'b'], won: ['c', 'd', 'e'] })
})

test('moving it back makes the same board', () => {
  const board = boardOf({ lead: [card('a', 50), card('b', 10)], won: [card('c', 80)] })
  const there = moveCard(board, 'b', 'won')!
  assert.deepEqual(moveCard(there.board, 'b', 'lead')!.board, board)
})

test('a card without a value comes last, and among equals by id', () => {
  const cards = [card('d', null), card('b', 5), card('c', null), card('a', 5), card('e', -1), card('f', 0)]
  assert.deepEqual(
    cards.sort(compareCards).map(({ id }) => id),
    ['a', 'b', 'f', 'e', 'c', 'd'],
  )
})

test('behind the loaded part of a column a card is counted and not shown', () => {
  const board = boardOf({ lead: [card('a', 1)], won: [card('b', 9), card('c', 8)] })
  board.columns[1]!.count = 100
  const moved = moveCard(board, 'a', 'won')!
  assert.deepEqual(shown(moved.board), { lead: [], won: ['b', 'c'] })
  assert.deepEqual([moved.place, moved.count], [undefined, 101])
})

test('weighted totals follow, where stages have a probability', () => {
  const board = boardOf({ lead: [card('a', 200)], won: [] })
  board.columns[0]!.probability = 10
  board.columns[1]!.probability = 100
  const moved = moveCard(board, 'a', 'won')!
  assert.deepEqual(
    moved.board.columns.map(({ weighted }) => weighted),
    [0, 200],
  )
  assert.equal(moved.board.weighted, 200)
})

test('what is not there is not moved', () => {
  const board = boardOf({ lead: [card('a', 1)] })
  assert.equal(moveCard(board, 'b', 'lead'), undefined)
  assert.equal(moveCard(board, 'a', 'won'), undefined)
  assert.equal(moveCard(board, 'a', 'lead')!.board, board)
  assert.equal(placeOf(board, 'b'), undefined)
})

test('more cards are added behind, each once', () => {
  const board = boardOf({ lead: [card('a', 3), card('b', 2)], won: [card('z', 1)] })
  assert.deepEqual(shown(withMoreCards(board, 'lead', [card('b', 2), card('c', 1)])), {
    lead: ['a', 'b', 'c'],
    won: ['z'],
  })
})

function card(id: string, deal_value: number | null): DealCard {
  return { id, full_name: id, company: null, deal_value, label: null, open_tasks: 0, overdue_tasks: 0 }
}

function boardOf(columns: Record<string, DealCard[]>): DealBoard {
  const made = Object.entries(columns).map(([stage, cards]): DealColumn => {
    const total = cards.reduce((sum, { deal_value }) => sum + (deal_value ?? 0), 0)
    const rest = { color: null, probability: null, listed: true, weighted: null }
    return { stage, ...rest, count: cards.length, total, cards }
  })
  const sum = (key: 'count' | 'total') => made.reduce((total, column) => total + column[key], 0)
  return { columns: made, hidden_stages: 0, count: sum('count'), total: sum('total'), weighted: null }
}

function shown({ columns }: DealBoard): Record<string, string[]> {
  return Object.fromEntries(columns.map(({ stage, cards }) => [stage, cards.map(({ id }) => id)]))
}
