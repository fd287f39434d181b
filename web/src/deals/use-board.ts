import type { DealBoard, DealCard, DealColumn } from '@server/deals/ui-schema.ts'
import { keepPreviousData, type QueryClient, useQuery } from '@tanstack/react-query'
import { get, patch, query } from '../api/client.ts'
import { queryClient } from '../api/query.ts'
import { failureWords } from '../ui/failure-words.ts'
import { toast } from '../ui/toast.ts'
import { type BoardFilter, cardOf, dealName, moveCard, placeOf, withMoreCards } from './board-state.ts'

const BOARD_KEY = ['deals', 'board']
const PAGE = 200

interface CardPage {
  data: DealCard[]
}

/** The columns with their totals and the cards that have been scrolled to so far. */
export function boardQuery(filter: BoardFilter) {
  return {
    queryKey: [...BOARD_KEY, filter],
    queryFn: async ({ client, signal }: { client: QueryClient; signal: AbortSignal }) => {
      const before = client.getQueryData<DealBoard>([...BOARD_KEY, filter])
      const board = await get<DealBoard>(`/deals/board${query({ ...filter })}`, { signal })
      const columns = await Promise.all(board.columns.map((column) => loadedAgain(column, filter, before, signal)))
      return withPendingMoves({ ...board, columns })
    },
  }
}

export function useBoard(filter: BoardFilter) {
  return useQuery({ ...boardQuery(filter), placeholderData: keepPreviousData })
}

/** Loads the cards of a column that come after so many. */
export async function loadMore(filter: BoardFilter, stage: string, loaded: number): Promise<void> {
  const { data } = await queryClient.fetchQuery({
    queryKey: ['deals', 'column', stage, filter, loaded],
    queryFn: ({ signal }) => cardPage(filter, stage, { offset: loaded, limit: PAGE, signal }),
    gcTime: 0,
  })
  const queryKey = [...BOARD_KEY, filter]
  queryClient.setQueryData<DealBoard>(queryKey, (board) => board && withMoreCards(board, stage, data))
}

export interface Move {
  id: string
  stage: string
}

/** Moves that the server has not answered yet: what it says meanwhile may be from before them. */
const pending = new Map<string, string>()

/**
 * Shows a card in another column at once, then tells the server; when that fails the card goes back.
 *
 * @param isUndo the message offers no way back again
 * @returns the words that say what has been done; undefined when there is nothing to do
 */
export function moveDeal(filter: BoardFilter, { id, stage }: Move, isUndo = false): string | undefined {
  const queryKey = [...BOARD_KEY, filter]
  const board = queryClient.getQueryData<DealBoard>(queryKey)
  const from = board && placeOf(board, id)
  const card = board && cardOf(board, id)
  const moved = board && moveCard(board, id, stage)
  if (!board || !from || !card || !moved || board.columns[from.column]!.stage === stage) return undefined
  const before = board.columns[from.column]!.stage
  pending.set(id, stage)
  void queryClient.cancelQueries({ queryKey: BOARD_KEY })
  applyToBoards(id, stage)
  const name = dealName(card)
  const place = moved.place === undefined ? '' : `, ${moved.place} of ${moved.count}`
  const text = `Moved ${name} to ${stage}${place}.`
  const undo = () => moveDeal(filter, { id, stage: before }, true)
  const close = toast(isUndo ? { text } : { text, undo })
  patch(`/contacts/${id}`, { deal_stage: stage }).then(
    () => {
      settle(id, stage)
      void queryClient.invalidateQueries({ queryKey: ['contact', id] })
    },
    (failure) => {
      close()
      // A later move of the same card stands.
      if (pending.get(id) === stage) applyToBoards(id, before)
      settle(id, stage)
      toast({
        text: failureWords(failure, `${name} was not moved to ${stage}.`),
        tone: 'danger',
        action: { text: 'Try again', run: () => moveDeal(filter, { id, stage }) },
      })
    },
  )
  return text
}

function settle(id: string, stage: string): void {
  if (pending.get(id) === stage) pending.delete(id)
  if (pending.size === 0) void queryClient.invalidateQueries({ queryKey: ['deals'] })
}

function applyToBoards(id: string, stage: string): void {
  queryClient.setQueriesData<DealBoard>({ queryKey: BOARD_KEY }, (board) => board && moved(board, id, stage))
}

function withPendingMoves(board: DealBoard): DealBoard {
  let shown = board
  for (const [id, stage] of pending) shown = moved(shown, id, stage)
  return shown
}

function moved(board: DealBoard, id: string, stage: string): DealBoard {
  return moveCard(board, id, stage)?.board ?? board
}

/** What had been scrolled to is loaded again, so that a change far away moves nothing under the reader's eyes. */
async function loadedAgain(
  column: DealColumn,
  filter: BoardFilter,
  before: DealBoard | undefined,
  signal: AbortSignal,
): Promise<DealColumn> {
  const first = column.cards.length
  const shown = before?.columns.find(({ stage }) => stage === column.stage)?.cards.length ?? 0
  const wanted = Math.min(shown, column.count)
  const offsets = []
  for (let offset = first; offset < wanted; offset += PAGE) offsets.push(offset)
  if (offsets.length === 0) return column
  const pages = await Promise.all(
    offsets.map((offset) => cardPage(filter, column.stage, { offset, limit: Math.min(PAGE, wanted - offset), signal })),
  )
  return { ...column, cards: [...column.cards, ...pages.flatMap(({ data }) => data)] }
}

function cardPage(
  filter: BoardFilter,
  stage: string,
  { offset, limit, signal }: { offset: number; limit: number; signal: AbortSignal },
): Promise<CardPage> {
  return get<CardPage>(`/deals/column${query({ stage, ...filter, offset, limit })}`, { signal })
}
