import type { Contact } from '@server/contacts/schema.ts'
import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { type ContactPage, countQuery, pageQuery } from '../list-pages.ts'
import type { ContactList } from '../list-query.ts'
import type { Edits } from './edits.ts'
import { PAGE_ROWS, pageOf, pagesToAsk, type RowSpan } from './pages.ts'

/** At every speed of scrolling the pages in view are asked for, but not more often than this. */
const ASK_MS = 40

/** A list that is not there yet is told by dimmed rows after so long; most are there before. */
const DIM_MS = 300

export interface ShownList {
  /** The list whose rows are shown: the former one until the first rows of the new one are there. */
  list: ContactList
  /** How many rows to draw: a guess until they are counted. */
  shown: number
  /** Exactly, once it is known. */
  count: number | null
  /** Another list has been asked for, and these rows have waited for it long enough to say so. */
  isStale: boolean
  /** Nothing to show yet. */
  isLoading: boolean
  failure: unknown
  retry: () => void
}

/** The list that is asked for, and what to show until it is there. Its rows never wait for its count. */
export function useShownList(wanted: ContactList): ShownList {
  const client = useQueryClient()
  const first = useQuery(pageQuery(wanted, 0))
  const counting = useQuery({ ...countQuery(wanted), placeholderData: keepPreviousData })
  const shownList = useRef(wanted)
  if (first.data || first.error) shownList.current = wanted
  const list = shownList.current
  const isOther = list !== wanted
  const isStale = useAfter(isOther, DIM_MS)

  const firstRows = client.getQueryData<ContactPage>(pageQuery(list, 0).queryKey)?.data.length
  const isShort = firstRows !== undefined && firstRows < PAGE_ROWS
  const counted = counting.isPlaceholderData === isOther ? (counting.data ?? null) : null
  const rows = useGuess(list, firstRows, counted)
  return {
    list,
    shown: rows,
    count: isOther ? null : isShort ? firstRows : counted,
    isStale: isOther && isStale,
    isLoading: firstRows === undefined,
    failure: first.data ? undefined : first.error,
    retry: () => void first.refetch(),
  }
}

export interface Rows extends ShownList {
  at: (row: number) => Contact | undefined
}

/** The rows of a list by their places: those in view and one page on each side are asked for. */
export function useRows(shownList: ShownList, inView: RowSpan, edits: Edits): Rows {
  const client = useQueryClient()
  useSyncExternalStore(edits.subscribe, edits.getVersion)
  const { list } = shownList
  const pages = useThrottled(pagesToAsk(inView, shownList.shown, useSpeed(inView.first)))
  const results = useQueries({
    queries: pages.map((page) => ({
      ...pageQuery(list, page),
      notifyOnChangeProps: ['data' as const, 'error' as const],
    })),
  })
  const failed = results.find(({ data, error }) => error && !data)
  return {
    ...shownList,
    failure: shownList.failure ?? failed?.error,
    retry: () => {
      shownList.retry()
      void failed?.refetch()
    },
    at: (row) => {
      const page = client.getQueryData<ContactPage>(pageQuery(list, pageOf(row)).queryKey)
      const contact = page?.data[row % PAGE_ROWS]
      return contact && edits.shown(contact)
    },
  }
}

/**
 * How many rows a list seems to have: those counted, else those of a short first page, else what was known of it
 * before, else one page more than is there.
 */
function useGuess(list: ContactList, firstRows: number | undefined, count: number | null): number {
  const before = useRef<{ list: ContactList; rows: number } | undefined>(undefined)
  if (firstRows === undefined) return before.current?.rows ?? 0
  const known = before.current?.list === list ? before.current.rows : 0
  const guess = count === null ? Math.max(known, 2 * PAGE_ROWS) : Math.max(count, firstRows)
  const rows = firstRows < PAGE_ROWS ? firstRows : guess
  before.current = { list, rows }
  return rows
}

/** How fast the rows go by, measured over ASK_MS. @returns rows in a second */
function useSpeed(first: number): number {
  const before = useRef({ first, at: 0, rowsPerS: 0 })
  const now = performance.now()
  const ms = now - before.current.at
  if (ms >= ASK_MS) {
    // After a rest it is not known.
    const rowsPerS = ms > 10 * ASK_MS ? 0 : ((first - before.current.first) * 1000) / ms
    before.current = { first, at: now, rowsPerS }
  }
  return before.current.rowsPerS
}

/** The latest pages, given out at once and then once in ASK_MS at most. */
function useThrottled(pages: number[]): number[] {
  const [given, setGiven] = useState(pages)
  const givenAt = useRef(0)
  const latest = useRef(pages)
  latest.current = pages
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isSame = pages.join() === given.join()
  useEffect(() => {
    if (isSame || timer.current !== undefined) return
    const give = () => {
      timer.current = undefined
      givenAt.current = performance.now()
      setGiven(latest.current)
    }
    const restMs = givenAt.current + ASK_MS - performance.now()
    if (restMs <= 0) give()
    else timer.current = setTimeout(give, restMs)
  })
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
  return given
}

function useAfter(isOn: boolean, ms: number): boolean {
  const [isPast, setPast] = useState(false)
  useEffect(() => {
    if (!isOn) return
    const timer = setTimeout(() => setPast(true), ms)
    return () => {
      clearTimeout(timer)
      setPast(false)
    }
  }, [isOn, ms])
  return isPast
}
