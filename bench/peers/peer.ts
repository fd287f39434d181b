import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Request } from '../frame/load.ts'
import type { Context } from '../frame/outcome.ts'
import { processorUs } from '../frame/processor.ts'
import type { Server } from '../frame/turns.ts'

export const OPERATIONS = ['get', 'list', 'search', 'patch', 'create'] as const
export type Operation = (typeof OPERATIONS)[number]

/** Another program that keeps contacts. */
export interface Peer {
  name: string
  /** How it differs from Kith in what it does for a request: a sentence or two. */
  differs: string
  /** Starts it with as many contacts, until the bench ends. */
  start(context: Context, contacts: number): Promise<Served>
}

export interface Served {
  server: Server
  requests: Record<Operation, Request[]>
}

const READY_MS_MAX = 120_000
const POLL_MS = 200

export interface PeerProgram {
  pid: number
  /** Path of the file with all that it says. */
  log: string
  /** Its exit code. */
  ended: Promise<number | null>
  hasEnded(): boolean
  end(): Promise<void>
}

/** Starts a program that is no Node program of ours, until the bench ends; what it says goes to a file of the run. */
export function startPeerProgram(
  { data, defer }: Context,
  command: string,
  args: string[],
  { env = {}, cwd = data.folder() }: { env?: Record<string, string>; cwd?: string } = {},
): PeerProgram {
  const log = join(data.folder(), 'log')
  const file = openSync(log, 'a')
  const all = { PATH: process.env.PATH, HOME: cwd, ...env }
  const child = spawn(command, args, { cwd, env: all, stdio: ['ignore', file, file] })
  process.on('exit', () => child.kill())
  let hasEnded = false
  const ended = once(child, 'exit').then(([code]: (number | null)[]) => {
    hasEnded = true
    return code ?? null
  })
  const end = async () => {
    if (!hasEnded) child.kill('SIGTERM')
    await ended
  }
  defer(end)
  return { pid: child.pid!, log, ended, hasEnded: () => hasEnded, end }
}

/** Waits until this address is answered with a 2xx. */
export async function untilAnswered(
  url: string,
  program: { hasEnded(): boolean; log: string },
  headers: Record<string, string> = {},
): Promise<void> {
  for (const startedMs = performance.now(); ; await delay(POLL_MS)) {
    if (program.hasEnded()) throw new Error(`It ended at its start: see ${program.log}.`)
    const isUp = await fetch(url, { headers }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return
    if (performance.now() - startedMs > READY_MS_MAX) throw new Error(`${url} is not answered: see ${program.log}.`)
  }
}

/** A server of one process or several, known by the first. */
export function serverOfProcess(url: string, pid: number, databaseUs?: () => number): Server {
  return { url, serverUs: () => processorUs(pid), ...(databaseUs && { databaseUs }) }
}

/** Asks a peer to do something before it is measured. @throws Error unless the answer is a 2xx */
export async function tell<T>(
  url: string,
  method: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<T> {
  const all = { 'content-type': 'application/json', ...headers }
  const response = await fetch(url, { method, headers: all, body: JSON.stringify(body) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${url} was answered ${response.status}: ${text}`)
  return text === '' ? (undefined as T) : JSON.parse(text)
}

/** A request with JSON, as a program of the peer's users would send it. */
export function jsonRequest(
  method: Request['method'],
  path: string,
  headers: Record<string, string>,
  body?: object,
): Request {
  if (body === undefined) return { method, path, headers }
  return { method, path, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
}
