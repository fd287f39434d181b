/** One test file, run in a process group of its own, so that whatever it starts can be ended with it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Word } from './test-reporter.ts'

export interface Failure {
  name: string
  /** `file:line`, empty where no single test is at fault. */
  place: string
  text: string
}

export interface FileOutcome {
  passed: number
  failures: Failure[]
  skips: { name: string; reason: string }[]
  /** What tests have measured and told with `t.diagnostic`. */
  measured: string[]
  /** What the file wrote to stdout and stderr; the end of it, when it is long. */
  output: string
  seconds: number
}

export interface Limits {
  /** For each test that sets no limit itself. */
  testMsMax: number
  /** How long the event loop may be held, and how long no test may end. */
  silentMsMax: number
  idleMsMax: number
  /** How long the process may live on after its last test. */
  openMsMax: number
}

const LIMITS: Limits = { testMsMax: 120_000, silentMsMax: 120_000, idleMsMax: 600_000, openMsMax: 10_000 }
const OUTPUT_CHARACTERS_MAX = 100_000

const root = join(import.meta.dirname, '..')
const processes = new Set<ChildProcess>()

/**
 * Runs one test file to its end, which the limits bring about if nothing else does.
 *
 * Counted are tests, not suites. A file fails as a whole, as one failure more, when it does not end by itself, ends with
 * an error or in the middle of a test, or has no test.
 *
 * @param path from the repository's root
 */
export async function runTestFile(path: string, limits: Partial<Limits> = {}): Promise<FileOutcome> {
  const { testMsMax, silentMsMax, idleMsMax, openMsMax } = { ...LIMITS, ...limits }
  const start = performance.now()
  const reporter = new URL('./test-reporter.ts', import.meta.url).href
  const options = [`--test-timeout=${testMsMax}`, `--test-reporter=${reporter}`, '--test-reporter-destination=stdout']
  const child = spawn(process.execPath, [...options, path], {
    cwd: root,
    env: environment(openMsMax),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  processes.add(child)

  const outcome: FileOutcome = { passed: 0, failures: [], skips: [], measured: [], output: '', seconds: 0 }
  const unfinished = new Map<string, { name: string; place: string }>()
  let [lastWordAt, lastResultAt, fault] = [start, start, '']
  child.on('message', (word: Word) => {
    lastWordAt = performance.now()
    if (word.kind !== 'alive') lastResultAt = lastWordAt
    if (word.kind === 'open') fault = `does not end after its last test; still open: ${word.handles}`
    if (word.kind === 'begun') unfinished.set(word.key, word)
    if (word.kind === 'measured') outcome.measured.push(word.text)
    if (word.kind === 'ended') count(word, outcome, unfinished)
  })
  for (const pipe of [child.stdout!, child.stderr!]) {
    pipe.setEncoding('utf8').on('data', (text) => {
      outcome.output = (outcome.output + text).slice(-OUTPUT_CHARACTERS_MAX)
    })
  }
  const watch = setInterval(() => {
    const time = performance.now()
    if (time - lastWordAt > silentMsMax) fault = `was killed: it held its event loop for ${silentMsMax / 1000} s`
    else if (time - lastResultAt > idleMsMax) fault = `was killed: no test began or ended for ${idleMsMax / 1000} s`
    else return
    killGroup(child)
  }, 250)

  const closed = once(child, 'close')
  const [code, signal] = await once(child, 'exit')
  clearInterval(watch)
  killGroup(child)
  await closed
  processes.delete(child)
  const isCounted = outcome.passed + outcome.failures.length + outcome.skips.length > 0
  if (!fault && unfinished.size > 0) fault = `ended with ${signal ?? `exit code ${code}`} in the middle of a test`
  if (!fault && code !== 0 && outcome.failures.length === 0) fault = `ended with ${signal ?? `exit code ${code}`}`
  if (!fault && !isCounted) fault = 'has no test'
  if (fault) {
    const left = [...unfinished.values()].map(({ name, place }) => `\nunfinished: ${name} (${place})`)
    outcome.failures.push({ name: `The file ${fault}.`, place: '', text: left.join('').trimStart() })
  }
  outcome.seconds = (performance.now() - start) / 1000
  return outcome
}

/** Ends every test file that still runs, with all that it has started. */
export function killTestFiles() {
  for (const child of processes) killGroup(child)
}

/** What configures a Kith of the user's own must not reach the Kiths under test. */
function environment(openMsMax: number): NodeJS.ProcessEnv {
  const isKept = (name: string) => !/^KITH_(?!TEST_)|^NODE_TEST_CONTEXT$/.test(name)
  const own = Object.entries(process.env).filter(([name]) => isKept(name))
  return { ...Object.fromEntries(own), KITH_TEST_OPEN_MS_MAX: String(openMsMax) }
}

function count(
  { key, outcome: result, text }: Word & { kind: 'ended' },
  outcome: FileOutcome,
  unfinished: Map<string, { name: string; place: string }>,
) {
  const { name, place } = unfinished.get(key) ?? { name: key, place: '' }
  unfinished.delete(key)
  if (result === 'passed') outcome.passed += 1
  if (result === 'failed') outcome.failures.push({ name, place, text })
  if (result === 'skipped') outcome.skips.push({ name, reason: text })
}

function killGroup(child: ChildProcess) {
  try {
    process.kill(-child.pid!, 'SIGKILL')
  } catch {
    // Nothing of the group is left.
  }
}
