import { startLoop } from '../background/loop.ts'
import { now, toIso } from '../clock.ts'
import type { Database } from '../database/engine.ts'
import { EVENTS_TOPIC } from '../events/topics.ts'
import { ApiError } from '../http/errors.ts'
import type { Log } from '../log.ts'
import { openSessions } from '../sessions/actions.ts'
import { announced, type Change } from './announce.ts'
import { Channel, type Listener } from './channel.ts'
import { EventTail } from './event-tail.ts'
import { type EventMark, newestEvents } from './store.ts'

const POLL_MS = 500
const REST_MS_MAX = 5_000
/** Hints come with every change; the database is asked once for all that come within this. */
const NUDGE_MS = 50
const SESSIONS_EVERY_MS = 2_000
const PER_MEMBER_MAX = 20
const LATE_MS = 5_000
const LATE_MAX = 100

/** Tells the open pages what has changed, whichever process changed it. */
export interface Feed {
  /**
   * Listens from now on: what is committed after the promise has resolved is told.
   *
   * @throws ApiError `unavailable` when the member has too many open already
   */
  listen(listener: Listener): Promise<Listening>
  /** Ends all listeners. */
  stop(): Promise<void>
}

export interface Listening {
  /** What events of the last seconds told: a page may have fetched what it shows before them. */
  missed: Change[]
  /** Ends the listening. */
  leave(): void
}

/** It works only while somebody listens. */
export function startFeed(db: Database, log: Log): Feed {
  const channels = new Map<string, Channel>()
  let tail: Promise<EventTail> | undefined
  let isStopped = false
  let sessionsAtMs = 0
  let nudge: NodeJS.Timeout | undefined
  const loop = startLoop({ name: 'live-feed', step: look, idleMs: POLL_MS, restMsMax: REST_MS_MAX }, log)
  const unlisten = db.onHint((topic) => {
    if (channels.size === 0) return
    if (topic === EVENTS_TOPIC) nudge ??= setTimeout(lookNow, NUDGE_MS)
    const change = announced(topic)
    if (change) note(change.orgId, change)
  })

  return { listen, stop }

  async function listen(listener: Listener): Promise<Listening> {
    const { orgId, memberId } = listener
    const channel = channels.get(orgId) ?? new Channel()
    const own = [...channel.listeners].filter((other) => other.memberId === memberId)
    if (own.length >= PER_MEMBER_MAX) {
      throw new ApiError('unavailable', `Kith is open in ${PER_MEMBER_MAX} windows already; close one of them.`)
    }
    channels.set(orgId, channel)
    channel.listeners.add(listener)
    try {
      tail ??= EventTail.start(db)
      await tail
      const missed = await changesOfLate(orgId)
      if (isStopped) listener.end()
      return { missed, leave: () => leave(listener) }
    } catch (error) {
      leave(listener)
      throw error
    }
  }

  async function changesOfLate(orgId: string): Promise<Change[]> {
    const since = toIso(now() - LATE_MS)
    const events = await newestEvents(db.read, { max: LATE_MAX })
    return events.filter(({ org_id, ts }) => org_id === orgId && ts >= since).flatMap(changesOf)
  }

  function leave(listener: Listener): void {
    const channel = channels.get(listener.orgId)
    if (!channel?.listeners.delete(listener) || channel.listeners.size > 0) return
    channel.close()
    channels.delete(listener.orgId)
    if (channels.size === 0) tail = undefined
  }

  async function stop(): Promise<void> {
    isStopped = true
    unlisten()
    clearTimeout(nudge)
    await loop.stop()
    for (const listener of listeners()) end(listener)
  }

  function lookNow(): void {
    nudge = undefined
    loop.nudge()
  }

  async function look(): Promise<number> {
    if (!tail) return 0
    const events = await (await tail).next()
    for (const event of events) for (const change of changesOf(event)) note(event.org_id, change)
    if (performance.now() >= sessionsAtMs) await endOldSessions()
    return events.length
  }

  function note(orgId: string, change: Change): void {
    channels.get(orgId)?.note(change)
  }

  async function endOldSessions(): Promise<void> {
    sessionsAtMs = performance.now() + SESSIONS_EVERY_MS
    const asked = listeners()
    const open = await openSessions(db.read, asked)
    for (const listener of asked) if (!open.has(listener.sessionId)) end(listener)
  }

  function listeners(): Listener[] {
    return [...channels.values()].flatMap((channel) => [...channel.listeners])
  }

  function end(listener: Listener): void {
    leave(listener)
    listener.end()
  }
}

function changesOf({ contact_id, task_id }: Pick<EventMark, 'contact_id' | 'task_id'>): Change[] {
  const changes: Change[] = []
  if (task_id !== null) changes.push({ kind: 'task', id: task_id })
  // The contact's own page shows what was done about it.
  if (contact_id !== null) changes.push({ kind: 'contact', id: contact_id })
  return changes
}
