/** What the board shows, and what moving a card makes of it before the server has answered. */
import type { DealBoard, DealCard, DealColumn } from '@server/deals/ui-schema.ts'

/** What the address of the page chooses. */
export interface BoardFilter {
  q?: string | undefined
  label?: string | undefined
}

/** Where a card lies: its column, and its place among those that are loaded. */
export interface CardPlace {
  column: number
  at: number
}

export interface Moved {
  board: DealBoard
  /** The place in its new column, from 1; undefined when that part of the column is not loaded. */
  place: number | undefined
  /** How many cards the new column has. */
  count: number
}

export function placeOf(board: DealBoard, id: string): CardPlace | undefined {
  for (const [column, { cards }] of board.columns.entries()) {
    const at = cards.findIndex((card) => card.id === id)
    if (at >= 0) return { column, at }
  }
  return undefined
}

export function cardOf(board: DealBoard, id: string): DealCard | undefined {
  const place = placeOf(board, id)
  return place && board.columns[place.column]!.cards[place.at]
}

/** Puts a card into another column, at its place by value. @returns undefined when the card or the column is not there */
export function moveCard(board: DealBoard, id: string, stage: string): Moved | undefined {
  const from = placeOf(board, id)
  const to = board.columns.findIndex((column) => column.stage === stage)
  if (!from || to < 0) return undefined
  const card = board.columns[from.column]!.cards[from.at]!
  const target = board.columns[to]!
  if (from.column === to) return { board, place: from.at + 1, count: target.count }
  const at = target.cards.findIndex((other) => compareCards(card, other) < 0)
  const isLast = at < 0
  const isLoaded = !isLast || target.cards.length === target.count
  const value = card.deal_value ?? 0
  const columns = board.columns.with(from.column, {
    ...weighed(board.columns[from.column]!, -value, -1),
    cards: board.columns[from.column]!.cards.toSpliced(from.at, 1),
  })
  columns[to] = {
    ...weighed(target, value, 1),
    cards: isLoaded ? target.cards.toSpliced(isLast ? target.cards.length : at, 0, card) : target.cards,
  }
  return {
    board: { ...board, columns, weighted: sumOfWeighted(columns) },
    place: isLoaded ? (isLast ? target.cards.length : at) + 1 : undefined,
    count: target.count + 1,
  }
}

/** The most valuable first, those without a value last, ties by id: the server's order. */
export function compareCards(a: DealCard, b: DealCard): number {
  if (a.deal_value !== b.deal_value) {
    if (a.deal_value === null) return 1
    if (b.deal_value === null) return -1
    return b.deal_value - a.deal_value
  }
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}

/** Adds more cards of a column; one that is there already, since others moved meanwhile, is not there twice. */
export function withMoreCards(board: DealBoard, stage: string, cards: DealCard[]): DealBoard {
  return {
    ...board,
    columns: board.columns.map((column) => (column.stage === stage ? withMore(column, cards) : column)),
  }
}

function withMore(column: DealColumn, cards: DealCard[]): DealColumn {
  const known = new Set(column.cards.map(({ id }) => id))
  return { ...column, cards: [...column.cards, ...cards.filter(({ id }) => !known.has(id))] }
}

function weighed(column: DealColumn, value: number, count: number): DealColumn {
  const total = column.total + value
  const weighted = column.probability === null ? null : (total * column.probability) / 100
  return { ...column, total, weighted, count: column.count + count }
}

function sumOfWeighted(columns: DealColumn[]): number | null {
  const weights = columns.map(({ weighted }) => weighted).filter((weighted) => weighted !== null)
  return weights.length === 0 ? null : weights.reduce((sum, weighted) => sum + weighted, 0)
}

/** Who the deal is with, in one line. */
export function dealName({ full_name, company }: Pick<DealCard, 'full_name' | 'company'>): string {
  return full_name ?? company ?? 'Unnamed'
}
