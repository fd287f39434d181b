/** Processes that are measured: programs of this folder, and Kith itself. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Held, PROBE, type Used } from '../programs/probe.ts'
import type { Program } from './program.ts'

/** As `kith` sets it: without one the probe would make a process load what strips TypeScript, 16 MB. */
const COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/kith')
const START_MS_MAX = 120_000
const READY_MS_MAX = 60_000

/** A Node process that tells what it uses (`programs/probe.ts`). */
export class Child {
  url = ''
  readonly #process: ChildProcess
  readonly #profiles: string | undefined

  /** @param profiles where it is to write one when it ends */
  constructor(file: string, args: string[], settings: Record<string, string> = {}, profiles?: string) {
    this.#profiles = profiles
    const watched = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`]
    this.#process = spawn(process.execPath, ['--max-semi-space-size=8', ...watched, '--import', PROBE, file, ...args], {
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILE_CACHE, ...settings },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
  }

  get pid(): number {
    return this.#process.pid!
  }

  /** Waits for its first line, JSON with the `url` that it serves. */
  async started(): Promise<this> {
    this.url = JSON.parse(await this.line()).url
    return this
  }

  /** The first line that it prints. @throws Error when it ends before */
  line(): Promise<string> {
    return new Promise((resolve, reject) => {
      let said = ''
      const tooLong = setTimeout(() => {
        this.#process.kill('SIGKILL')
        reject(new Error('It has started for too long.'))
      }, START_MS_MAX)
      this.#process.stdout!.setEncoding('utf8').on('data', (chunk) => {
        said += chunk
        if (!said.includes('\n')) return
        clearTimeout(tooLong)
        resolve(said.slice(0, said.indexOf('\n')))
      })
      this.#process.once('exit', (code) => {
        clearTimeout(tooLong)
        reject(new Error(`${this.#process.spawnargs.at(-1)} has ended with ${code}.`))
      })
    })
  }

  used(): Promise<Used> {
    return this.ask('used')
  }

  /** How long its event loop was held at most since this was last asked. */
  held(): Promise<Held> {
    return this.ask('held')
  }

  /** Asks a program what it listens for. Questions are answered one after the other. */
  async ask<T>(what: string): Promise<T> {
    const answer = once(this.#process, 'message')
    this.#process.send(what)
    return (await answer)[0]
  }

  /** @returns its exit code; null when a signal has ended it */
  async ended(): Promise<number | null> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) await once(this.#process, 'exit')
    return this.#process.exitCode
  }

  /** @param signal SIGTERM for one that writes a profile */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const isRunning = this.#process.exitCode === null && this.#process.signalCode === null
    if (isRunning) this.#process.kill(this.#profiles === undefined ? signal : 'SIGTERM')
    await this.ended()
  }
}

/** One of this folder's own programs, which prints its `url` first. */
export function startProgram(name: string, settings: Record<string, string> = {}): Promise<Child> {
  return new Child(programPath(name), [], settings).started()
}

export function programPath(name: string): string {
  return join(import.meta.dirname, '../programs', `${name}.ts`)
}

/** Where Kith keeps its data. */
export interface Place {
  /** With PostgreSQL, of the key alone. */
  folder: string
  databaseUrl?: string
}

export function settingsOf({ folder, databaseUrl }: Place): Record<string, string> {
  return {
    KITH_DATA: folder,
    KITH_WEBHOOK_ALLOW: '127.0.0.1',
    ...(databaseUrl !== undefined && { KITH_DATABASE_URL: databaseUrl }),
  }
}

/** The real server, as `npm start` runs it; resolves when it is ready. */
export async function startKith(program: Program, place: Place, settings: Record<string, string> = {}): Promise<Child> {
  const all = { ...settingsOf(place), KITH_PORT: '0', KITH_LOG_LEVEL: 'warn', ...settings }
  const kith = await new Child(program.kith, ['serve', '--json'], all, program.profiles).started()
  for (const startedMs = performance.now(); ; ) {
    const { ok, status } = await fetch(`${kith.url}/readyz`)
    if (ok) return kith
    if (performance.now() - startedMs > READY_MS_MAX) throw new Error(`Kith is not ready: ${status}.`)
  }
}

/** A command of `kith`. @returns what it prints, as JSON */
export async function kithCommand<T>(program: Program, place: Place, ...args: string[]): Promise<T> {
  const env = { PATH: process.env.PATH, ...settingsOf(place) }
  const { stdout } = await promisify(execFile)(process.execPath, [program.kith, ...args, '--json'], { env })
  return JSON.parse(stdout)
}
