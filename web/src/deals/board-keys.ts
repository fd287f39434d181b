/** What the keys do on the board. */
import type { DealBoard } from '@server/deals/ui-schema.ts'

/** Where the focus is: a card by its place, or a column without cards. */
export interface BoardFocus {
  stage: string
  at: number | undefined
}

export interface BoardKey {
  key: string
  /** Ctrl, or ⌘. */
  isCommand: boolean
}

export type Step =
  | { do: 'focus' | 'move'; id: string; stage: string }
  | { do: 'focus column'; stage: string }
  | { do: 'menu' | 'open'; id: string }

/** @returns undefined for a key that means nothing here */
export function boardStep({ key, isCommand }: BoardKey, board: DealBoard, focus: BoardFocus): Step | undefined {
  const columnAt = board.columns.findIndex(({ stage }) => stage === focus.stage)
  const column = board.columns[columnAt]
  if (!column) return undefined
  const card = focus.at === undefined ? undefined : column.cards[focus.at]
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    const next = board.columns[columnAt + (key === 'ArrowLeft' ? -1 : 1)]
    if (!next) return undefined
    if (isCommand) return card && { do: 'move', id: card.id, stage: next.stage }
    const beside = next.cards[Math.min(focus.at ?? 0, next.cards.length - 1)]
    return beside ? { do: 'focus', id: beside.id, stage: next.stage } : { do: 'focus column', stage: next.stage }
  }
  if (!card || isCommand) return undefined
  if (key === 'Enter') return { do: 'open', id: card.id }
  if (key === 'm') return { do: 'menu', id: card.id }
  const target = column.cards[targetAt(key, focus.at!, column.cards.length)]
  return target && { do: 'focus', id: target.id, stage: column.stage }
}

function targetAt(key: string, at: number, count: number): number {
  if (key === 'ArrowUp') return Math.max(at - 1, 0)
  if (key === 'ArrowDown') return Math.min(at + 1, count - 1)
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  return -1
}
