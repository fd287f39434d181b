/** Inside the process of a test file: tells the runner what happens, and notices when the file does not end. */
import { relative } from 'node:path'
import { Transform } from 'node:stream'
import type { EventData } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

/** What the process of a test file sends; `alive` says only that its event loop turns. */
export type Word =
  | { kind: 'alive' }
  | { kind: 'begun'; key: string; name: string; place: string }
  | { kind: 'ended'; key: string; outcome: Outcome; text: string }
  | { kind: 'measured'; text: string }
  | { kind: 'open'; handles: string }

/** A `group` is what only holds other tests: a suite, or a test that failed through those inside it alone. */
export type Outcome = 'passed' | 'failed' | 'skipped' | 'group'

const ALIVE_MS = 5_000
/** What Node itself tells at the end of a file. */
const SUMMARY = /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/
const openMsMax = Number(process.env.KITH_TEST_OPEN_MS_MAX ?? 10_000)

const names = new Map<string, string>()
let running = 0
let openWatch: NodeJS.Timeout | undefined

setInterval(() => say({ kind: 'alive' }), ALIVE_MS).unref()
process.on('disconnect', () => process.exit(1))
process.channel?.unref()

/** A reporter for `--test-reporter` that writes nothing. */
export default new Transform({
  writableObjectMode: true,
  transform(event: TestEvent, _encoding, done) {
    if (event.type === 'test:enqueue') begin(event.data)
    if (event.type === 'test:complete') end(event.data)
    if (event.type === 'test:diagnostic' && !SUMMARY.test(event.data.message)) {
      say({ kind: 'measured', text: event.data.message })
    }
    done()
  },
})

function begin(data: EventData.TestEnqueue) {
  running += 1
  clearTimeout(openWatch)
  const parent = names.get(String(data.parentId))
  const name = parent ? `${parent} > ${data.name}` : data.name
  names.set(keyOf(data), name)
  const place = data.file ? `${relative(process.cwd(), data.file)}:${data.line}` : ''
  say({ kind: 'begun', key: keyOf(data), name, place })
}

function end(data: EventData.TestComplete) {
  running -= 1
  // Does not keep the process by itself: it fires only where something else does.
  if (running === 0) openWatch = setTimeout(reportOpenHandles, openMsMax).unref()
  say({ kind: 'ended', key: keyOf(data), ...outcomeOf(data) })
}

/** Node 24 gives tests no ids. */
function keyOf({ testId, name, nesting, line }: EventData.TestEnqueue | EventData.TestComplete): string {
  return String(testId ?? `${nesting} ${line} ${name}`)
}

function outcomeOf({ skip, todo, details }: EventData.TestComplete): { outcome: Outcome; text: string } {
  const reason = skip ?? todo
  if (reason !== undefined && reason !== false) {
    return { outcome: 'skipped', text: reason === true || reason === '' ? 'no reason given' : String(reason) }
  }
  if (details.type === 'suite' && details.passed) return { outcome: 'group', text: '' }
  if (details.passed) return { outcome: 'passed', text: '' }
  const { failureType } = details.error as { failureType?: string }
  if (failureType === 'subtestsFailed') return { outcome: 'group', text: '' }
  return { outcome: 'failed', text: explain(details.error) }
}

/** The error as thrown, without Node's wrapping and without the frames inside Node. */
function explain(error: EventData.Error | undefined): string {
  const thrown = error?.cause ?? error
  const isAssertion = thrown instanceof Error && (thrown as { code?: string }).code === 'ERR_ASSERTION'
  const text = typeof thrown === 'string' ? thrown : isAssertion ? String(thrown.stack) : inspect(thrown, { depth: 6 })
  return text.replaceAll(/\n\s+at [^\n]*\(?node:[^\n]*/g, '')
}

function reportOpenHandles() {
  const handles = process.getActiveResourcesInfo().join(', ')
  process.send?.({ kind: 'open', handles } satisfies Word, () => process.exit(1))
}

function say(word: Word) {
  if (process.connected) process.send?.(word)
}
