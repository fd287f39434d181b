/** A `kith serve` of the test, and `kith` commands on the same database. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { until } from '../support/until.ts'

const KITH = join(import.meta.dirname, '../../server/bin/kith.mjs')
const START_MS_MAX = 60_000

export interface Place {
  /** Of the key, and of the logs as `NAME.log`. */
  folder: string
  databaseUrl: string
}

export class KithNode {
  readonly name: string
  readonly pid: number
  url = ''
  readonly #process: ChildProcess
  readonly #logFile: string

  private constructor(name: string, { folder, databaseUrl }: Place) {
    this.name = name
    this.#logFile = join(folder, `${name}.log`)
    this.#process = spawn(process.execPath, [KITH, 'serve', '--json'], {
      cwd: folder,
      env: { ...environment({ folder, databaseUrl }), KITH_PORT: '0' },
      stdio: ['ignore', 'pipe', openSync(this.#logFile, 'a')],
    })
    this.pid = this.#process.pid!
  }

  /** @returns it once it is ready */
  static async start(name: string, place: Place): Promise<KithNode> {
    const node = new KithNode(name, place)
    let said = ''
    node.#process.stdout!.setEncoding('utf8').on('data', (chunk) => (said += chunk))
    await until(`${name} listens`, () => said.includes('\n') || !node.isRunning, START_MS_MAX)
    if (!node.isRunning) throw new Error(`${name} has ended: ${readFileSync(node.#logFile, 'utf8')}`)
    node.url = JSON.parse(said).url
    await until(`${name} is ready`, () => node.isReady(), START_MS_MAX)
    return node
  }

  /** The process that was started, never another one. */
  get isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null
  }

  async isReady(): Promise<boolean> {
    const answer = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
    return answer?.status === 200
  }
}

/** Runs `kith …`. @returns its JSON */
export async function kithCommand(place: Place, ...words: string[]) {
  const settings = { env: environment(place), cwd: place.folder }
  const { stdout } = await promisify(execFile)(process.execPath, [KITH, ...words, '--json'], settings)
  return JSON.parse(stdout)
}

function environment({ folder, databaseUrl }: Place): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    KITH_DATA: folder,
    KITH_DATABASE_URL: databaseUrl,
    KITH_WEBHOOK_ALLOW: '127.0.0.1',
  }
}
