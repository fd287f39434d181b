import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { until } from '../../../test/support/until.ts'
import { openDatabase } from './open.ts'

/** One attempt at a write, and at a read after it. */
interface Attempt {
  key: string
  /** Undefined when it was acknowledged. */
  code?: string
  retryAfter?: string
  rowsRead: number
}

const MISSING = missingProgram()

test('sqlite: while writes fail they are unavailable and reads go on; then writes work again, and none is lost', {
  skip: MISSING,
}, async (t) => {
  const folder = newFolder(t)
  const { child, attempts } = writingServer(t, folder)
  const acknowledged = () => attempts.filter(({ code }) => code === undefined)
  const refused = () => attempts.filter(({ code }) => code !== undefined)

  for (let round = 1; round <= 3; round++) {
    const before = { acknowledged: acknowledged().length, refused: refused().length }
    await until('writes', () => acknowledged().length > before.acknowledged + 5)
    limitFileSize(child, String(statSync(join(folder, 'kith.db-wal')).size + 20_000))
    await until('refusals', () => refused().length >= before.refused + 5)
    const [last, next] = [acknowledged().length, attempts.length]
    limitFileSize(child, 'unlimited')
    const start = performance.now()
    await until('a write after the fault', () => attempts.slice(next).some(({ code }) => code === undefined))
    assert.ok(performance.now() - start <= 1_000, `writes came back after ${performance.now() - start} ms`)
    assert.ok(last < acknowledged().length)
  }
  child.kill('SIGKILL')
  await until('the end', () => child.signalCode)

  for (const { code, retryAfter } of refused()) assert.deepEqual([code, retryAfter], ['unavailable', '1'])
  let acknowledgedBefore = 0
  for (const { code, rowsRead } of attempts) {
    if (code === undefined) acknowledgedBefore++
    assert.equal(rowsRead, acknowledgedBefore)
  }
  const db = await openDatabase({ engine: 'sqlite', folder }, 'server')
  try {
    const rows = await db.read.selectFrom('meta').select('key').execute()
    const keys = new Set(rows.map(({ key }) => key))
    assert.deepEqual(
      acknowledged().filter(({ key }) => !keys.has(key)),
      [],
    )
    assert.deepEqual(
      refused().filter(({ key }) => keys.has(key)),
      [],
    )
  } finally {
    await db.close()
  }
})

/** Without a handler the system ends a process that writes beyond its limit. */
const SERVER = `
  import { setTimeout as sleep } from 'node:timers/promises'
  import { openDatabase } from ${JSON.stringify(new URL('./open.ts', import.meta.url))}
  process.on('SIGXFSZ', () => {})
  const db = await openDatabase({ engine: 'sqlite', folder: process.argv[1] }, 'server')
  for (let i = 0; ; i++) {
    const key = 'key ' + String(i).padStart(6, '0')
    let failure = {}
    try {
      await db.write((tx) => tx.insertInto('meta').values({ key, value: 'x'.repeat(4000) }).execute())
    } catch (error) {
      failure = { code: error.code ?? error.message, retryAfter: error.headers?.['retry-after'] }
    }
    const rows = await db.read.selectFrom('meta').select('key').execute()
    process.send({ key, ...failure, rowsRead: rows.length })
    await sleep(5)
  }
`

/** A server that writes row after row, in a process of its own that can be denied room. */
function writingServer(t: TestContext, folder: string): { child: ChildProcess; attempts: Attempt[] } {
  const options = ['--input-type=module', '--eval', SERVER, folder]
  const child = spawn(process.execPath, options, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  t.after(() => void child.kill('SIGKILL'))
  const attempts: Attempt[] = []
  child.on('message', (attempt: Attempt) => attempts.push(attempt))
  return { child, attempts }
}

/** The soft limit, which may be raised again. */
function limitFileSize(child: ChildProcess, bytes: string): void {
  execFileSync('prlimit', [`--pid=${child.pid}`, `--fsize=${bytes}:unlimited`])
}

function missingProgram(): string | false {
  try {
    execFileSync('prlimit', ['--version'], { stdio: 'ignore' })
    return false
  } catch {
    return 'prlimit, with which the system denies a process room for its files, is not there'
  }
}

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'kith-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
