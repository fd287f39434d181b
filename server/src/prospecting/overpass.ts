/** The places that an Overpass server knows: asked as its operators wish it, and seldom. */
import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { now, toIso } from '../clock.ts'
import type { Database } from '../database/engine.ts'
import { ApiError } from '../http/errors.ts'
import type { Log } from '../log.ts'
import { type AddressGuard, createAddressGuard } from '../outgoing/address-guard.ts'
import { type Answer, ask } from '../outgoing/ask.ts'
import { SendFailure } from '../outgoing/send-failure.ts'
import { StartError } from '../start-error.ts'
import { VERSION } from '../version.ts'
import type { Category } from './categories.ts'
import { JsonElements } from './json-elements.ts'
import { isOsmElement, placeOfElement } from './osm-place.ts'
import { ANSWER_MAX, overpassQuery } from './overpass-query.ts'
import { answerSince, deleteAnswers, hasOldAnswers, type KeptAnswer, keepAnswer } from './overpass-store.ts'
import type { Box } from './schema.ts'

const HOUR_MS = 3_600_000
/** What is asked for again within this time is not asked of the server. */
const ANSWER_MS = 24 * HOUR_MS
/** A place can be added for longer than its answer is given: somebody may have it on the screen. */
const PLACE_MS = 2 * ANSWER_MS
const DEADLINE_MS = 25_000
const ANSWER_BYTES_MAX = 16 * 2 ** 20
/** So much is read before others get their turn: some milliseconds. */
const PIECE_BYTES = 256 * 1024
/** Those that may wait for their turn: more would be cut off by their browsers before it comes. */
const WAITING_MAX = 4
const REST_S = 30
const REST_S_MAX = 3600
const ERASED_AT_ONCE = 200

/** The server is busy, and says so. */
const BUSY: ReadonlySet<number> = new Set([429, 503, 504])

export interface OverpassOptions {
  db: Database
  log: Log
  url: string
  /** How its operators reach whoever runs this server. */
  contact: string
  /** For tests: another limit than 25 s. */
  deadlineMs?: number
}

export interface Overpass {
  /**
   * The named places in an area: from the answer of the last 24 hours, else from the server.
   *
   * @param box as `askedBox` makes it
   * @throws ApiError `unavailable` when there is no whole answer
   */
  find(box: Box, wanted: { category?: Category | undefined; text?: string | undefined }): Promise<KeptAnswer>
  /** Gives up what is being asked. */
  close(): Promise<void>
}

/**
 * Asks one question at a time (of each process), and none for a while after the server has said that it is busy.
 *
 * @throws StartError when the address is none that could be asked
 */
export function createOverpass({ db, log, url, contact, deadlineMs = DEADLINE_MS }: OverpassOptions): Overpass {
  const closing = new AbortController()
  const guard = guardFor(url)
  const headers = {
    'user-agent': `Kith/${VERSION} (${contact})`,
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  }
  let turn: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let restsUntilMs = 0

  return {
    async find(box, wanted) {
      const query = overpassQuery(box, wanted)
      const key = createHash('sha256').update(`${url}\n${query}`).digest('hex')
      const kept = await keptAnswer(key)
      if (kept) return kept
      if (waiting > WAITING_MAX) throw away(1)
      waiting++
      // Whoever waited before may have asked the same.
      const answer = turn.then(async () => (await keptAnswer(key)) ?? fetched(query, key)).finally(() => waiting--)
      turn = answer.catch(() => {})
      return answer
    },

    async close() {
      closing.abort()
      await turn
    },
  }

  function keptAnswer(key: string): Promise<KeptAnswer | undefined> {
    return answerSince(db.read, key, toIso(now() - ANSWER_MS))
  }

  async function fetched(query: string, key: string): Promise<KeptAnswer> {
    const restMs = restsUntilMs - performance.now()
    if (restMs > 0) throw away(Math.ceil(restMs / 1000))
    try {
      const body = `data=${encodeURIComponent(query)}`
      const limits = { deadlineMs, bodyBytesMax: ANSWER_BYTES_MAX, signal: closing.signal }
      const answer = await ask(guard, { url, headers, body, ...limits })
      if (BUSY.has(answer.status)) throw busy(answer)
      if (answer.status !== 200) throw new SendFailure(`Answered ${answer.status}.`)
      const found = await placesIn(answer.body)
      await db.write((tx) => keepAnswer(tx, key, found, toIso(now())))
      return found
    } catch (error) {
      if (error instanceof ApiError && error.code === 'unavailable') throw error
      if (!closing.signal.aborted) log.warn({ err: error }, 'The places server gave no answer.')
      throw away(REST_S, error)
    }
  }

  function busy({ status, headers }: Answer): ApiError {
    const given = Number(headers['retry-after'])
    const seconds = given > 0 ? Math.min(Math.ceil(given), REST_S_MAX) : REST_S
    restsUntilMs = performance.now() + seconds * 1000
    log.warn({ status, rest_s: seconds }, 'The places server is busy; it is left alone for a while.')
    return away(seconds)
  }
}

/** The host is allowed, whatever its address is: the operator has named it. */
function guardFor(url: string): AddressGuard {
  const { hostname } = new URL(url)
  const guard = createAddressGuard([hostname.replace(/^\[|\]$/g, '')])
  const { refused } = guard.judgeUrl(url)
  if (refused !== undefined) throw new StartError(`KITH_PLACES_OVERPASS cannot be used: ${refused}`)
  return guard
}

function away(seconds: number, cause?: unknown): ApiError {
  const message = `The places server did not answer. Try again in ${seconds} s, or add a places file.`
  return new ApiError('unavailable', message, { headers: { 'retry-after': String(seconds) }, cause })
}

/** @throws when it is not all of an answer */
async function placesIn(body: Buffer): Promise<KeptAnswer> {
  const json = new JsonElements()
  let elements: unknown[] = []
  for (let at = 0; at < body.length; at += PIECE_BYTES) {
    elements = elements.concat(json.push(body.subarray(at, at + PIECE_BYTES)))
    await nextTurn()
  }
  const { elements: last, around } = json.end()
  // It answers 200 and an empty list when it ran out of time or memory.
  if (typeof around.remark === 'string') throw new SendFailure(`Answered "${around.remark.slice(0, 200)}".`)
  if (!Array.isArray(around.elements)) throw new SendFailure('The answer has no list of elements.')
  const all = [...elements, ...last]
  const found = all.slice(0, ANSWER_MAX).filter(isOsmElement).map(placeOfElement)
  return { places: found.filter((place) => typeof place === 'object'), isCut: all.length >= ANSWER_MAX }
}

/**
 * Erases some answers that are too old.
 *
 * @returns how many; 0 when there was nothing to do
 */
export async function eraseOldAnswers(db: Database): Promise<number> {
  const before = { answers: toIso(now() - ANSWER_MS), places: toIso(now() - PLACE_MS) }
  if (!(await hasOldAnswers(db.read, before))) return 0
  return db.write((tx) => deleteAnswers(tx, before, ERASED_AT_ONCE))
}
