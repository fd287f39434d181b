/** The live stream: the server says what has changed, the cache asks again for what is shown of it. */
import { useSyncExternalStore } from 'react'
import { type LiveMessage, staleKeys } from './live-kinds.ts'
import { queryClient } from './query.ts'

export type LiveState = 'off' | 'connecting' | 'open' | 'lost'

/** Messages of one burst are answered with one refetch, and a long import's with no more than two a second. */
const GATHER_MS = 80
const REFETCH_EVERY_MS = 500
const RETRY_MS_MIN = 1_000
const RETRY_MS_MAX = 30_000
/** Over plain HTTP all tabs of a browser share six connections: a tab that nobody looks at gives its own back. */
const HIDDEN_MS_MAX = 5_000

let state: LiveState = 'off'
let source: EventSource | undefined
let retryTimer: ReturnType<typeof setTimeout> | undefined
let gatherTimer: ReturnType<typeof setTimeout> | undefined
let hiddenTimer: ReturnType<typeof setTimeout> | undefined
/** Whether something may have been missed since the last connection. */
let isBehind = false
let retryMs = RETRY_MS_MIN
let gathered: LiveMessage[] = []
let refetchedAtMs = 0
const stateListeners = new Set<() => void>()

/** Connects until the function that it returns is called. */
export function startLive(): () => void {
  connect()
  window.addEventListener('online', connectNow)
  document.addEventListener('visibilitychange', rest)
  return () => {
    window.removeEventListener('online', connectNow)
    document.removeEventListener('visibilitychange', rest)
    clearTimeout(hiddenTimer)
    disconnect()
    isBehind = false
    setState('off')
  }
}

export function useLiveState(): LiveState {
  return useSyncExternalStore(
    (listener) => {
      stateListeners.add(listener)
      return () => stateListeners.delete(listener)
    },
    () => state,
  )
}

function connect(): void {
  disconnect()
  if (state !== 'lost') setState('connecting')
  source = new EventSource('/ui/stream')
  source.onopen = () => {
    retryMs = RETRY_MS_MIN
    setState('open')
    if (isBehind) void queryClient.invalidateQueries()
    isBehind = false
  }
  source.onmessage = ({ data }) => receive(JSON.parse(data as string) as LiveMessage)
  // The browser would try again by itself, but for good only after some failures and never after others.
  source.onerror = () => {
    disconnect()
    isBehind = true
    setState('lost')
    retryTimer = setTimeout(connect, retryMs)
    retryMs = Math.min(retryMs * 2, RETRY_MS_MAX)
  }
}

function connectNow(): void {
  if (state === 'lost') connect()
}

function rest(): void {
  clearTimeout(hiddenTimer)
  if (!document.hidden) {
    if (state === 'off') connect()
    return
  }
  hiddenTimer = setTimeout(() => {
    disconnect()
    isBehind = true
    setState('off')
  }, HIDDEN_MS_MAX)
}

function disconnect(): void {
  clearTimeout(retryTimer)
  clearTimeout(gatherTimer)
  gathered = []
  source?.close()
  source = undefined
}

function receive(message: LiveMessage): void {
  gathered.push(message)
  if (gathered.length > 1) return
  const waitMs = Math.max(GATHER_MS, refetchedAtMs + REFETCH_EVERY_MS - performance.now())
  gatherTimer = setTimeout(() => {
    const keys = staleKeys(gathered)
    gathered = []
    refetchedAtMs = performance.now()
    for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey })
  }, waitMs)
}

function setState(next: LiveState): void {
  if (state === next) return
  state = next
  for (const listener of stateListeners) listener()
}
