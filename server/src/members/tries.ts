/**
 * How often somebody may try a password. A try is counted before the password is looked at and forgotten when it was
 * right, so that many at once cannot get past the limit; the count lies in the database, one for all processes.
 *
 * @see security P4
 */
import { hash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import { now, toIso } from '../clock.ts'
import type { Database, Tx } from '../database/engine.ts'
import { ApiError } from '../http/errors.ts'
import { deleteOldTries, deleteTries, keepTries, lockedTries, oldTries } from './try-store.ts'

const MINUTE_MS = 60_000
const WINDOW_MS = 15 * MINUTE_MS
const ACCOUNT_TRIES_MAX = 5
const ADDRESS_TRIES_MAX = 50
const IPV6_NETWORK_BITS = 64

export interface Subject {
  name: string
  /** When the next try is allowed, in Unix milliseconds, after tries at these times. */
  nextAt(times: number[]): number
}

/** Whoever the e-mail address belongs to, if anybody: that is not told by how a try is answered. */
export function accountSubject(email: string): Subject {
  return { name: `account:${hash('sha256', email.toLowerCase())}`, nextAt: afterGrowingDelay }
}

/** One's own password, asked of somebody who has signed in: nobody else's tries count here. */
export function memberSubject(id: string): Subject {
  return { name: `member:${id}`, nextAt: afterGrowingDelay }
}

/** Where a try comes from. Whoever has one IPv6 address has the other 2^64 of its network too. */
export function addressSubject(address: string): Subject {
  return { name: `address:${networkOf(address)}`, nextAt: atMostInWindow }
}

/**
 * Counts a try under each subject.
 *
 * @returns its time, by which `takeBack` finds it; or the refusal `too_many_tries`, and then it is not counted under any:
 *   waiting is always enough
 */
export function countTry(db: Database, subjects: Subject[]): Promise<{ at: number } | { refused: ApiError }> {
  return db.write(async (tx) => {
    const at = now()
    const tries: { subject: Subject; times: number[] }[] = []
    for (const subject of subjects) tries.push({ subject, times: await recentTries(tx, subject, at) })
    const waitMs = Math.max(...tries.map(({ subject, times }) => subject.nextAt(times) - at))
    if (waitMs > 0) return { refused: tooManyTries(waitMs) }
    for (const { subject, times } of tries) await keepTries(tx, subject.name, [...times, at], toIso(at))
    return { at }
  })
}

/** Forgets one try that was no failure. */
export async function takeBack(tx: Tx, subject: Subject, at: number): Promise<void> {
  const times = await recentTries(tx, subject, now())
  const place = times.indexOf(at)
  if (place >= 0) times.splice(place, 1)
  if (times.length === 0) await deleteTries(tx, subject.name)
  else await keepTries(tx, subject.name, times, toIso(times.at(-1)!))
}

/** Forgets all tries under a subject: whoever it is has proved who they are. */
export function forgetTries(tx: Tx, subject: Subject): Promise<void> {
  return deleteTries(tx, subject.name)
}

/** Erases what no longer counts. @returns how many subjects */
export async function forgetOldTries(db: Database): Promise<number> {
  const before = toIso(now() - WINDOW_MS)
  if ((await oldTries(db.read, before)).length === 0) return 0
  return db.write((tx) => deleteOldTries(tx, before))
}

async function recentTries(tx: Tx, { name }: Subject, at: number): Promise<number[]> {
  const times = await lockedTries(tx, name, toIso(at))
  return times.filter((time) => time > at - WINDOW_MS)
}

/** 1 minute after the fifth failure, then 2, 4 and 8. */
function afterGrowingDelay(times: number[]): number {
  const over = times.length - ACCOUNT_TRIES_MAX
  return over < 0 ? 0 : times.at(-1)! + MINUTE_MS * 2 ** over
}

function atMostInWindow(times: number[]): number {
  return times.length < ADDRESS_TRIES_MAX ? 0 : times.at(-ADDRESS_TRIES_MAX)! + WINDOW_MS
}

function networkOf(text: string): string {
  if (!ipaddr.isValid(text)) return text
  const address = ipaddr.process(text)
  if (address.kind() === 'ipv4') return address.toString()
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${IPV6_NETWORK_BITS}`)
  return `${network.toString()}/${IPV6_NETWORK_BITS}`
}

function tooManyTries(waitMs: number): ApiError {
  const minutes = Math.ceil(waitMs / MINUTE_MS)
  const message = `Too many tries. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`
  return new ApiError('too_many_tries', message, { headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) } })
}
