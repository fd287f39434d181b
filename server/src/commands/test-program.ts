/** The real `kith` program for tests, on a data folder of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const KITH = new URL('../../bin/kith.mjs', import.meta.url).pathname

/** What is needed of node:test's context. */
interface Test {
  after(hook: () => Promise<void>): void
}

export interface Outcome {
  code: number
  stdout: string
  stderr: string
}

export interface Program {
  /** Does not exist before a command makes it. */
  data: string
  run(args: string[], options?: { env?: Record<string, string>; stdin?: string }): Promise<Outcome>
  /** Runs a command with `--json` that has to succeed. @returns what it printed */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of the value
  json(args: string[], options?: { env?: Record<string, string>; stdin?: string }): Promise<any>
  start(args: string[], env?: Record<string, string>): ChildProcess
}

/** @param env the program's whole environment, beside KITH_DATA */
export async function program(t: Test, env: Record<string, string> = {}): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-test-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const data = join(folder, 'data')
  const start = (args: string[], more: Record<string, string> = {}) =>
    spawn(process.execPath, [KITH, ...args], { env: { KITH_DATA: data, ...env, ...more }, cwd: folder })
  const run: Program['run'] = async (args, options = {}) => {
    const child = start(args, options.env)
    child.stdin!.end(options.stdin ?? '')
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'close')])
    return { code, stdout, stderr }
  }
  const json: Program['json'] = async (args, options) => {
    const { code, stdout, stderr } = await run([...args, '--json'], options)
    if (code !== 0) throw new Error(`kith ${args.join(' ')} exited with ${code}: ${stderr}`)
    return JSON.parse(stdout)
  }
  return { data, run, json, start }
}
