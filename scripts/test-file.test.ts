import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Limits, runTestFile } from './test-file.ts'

test('passed, failed and skipped tests are counted, suites and tests that hold others are not', async (t) => {
  const { passed, failures, skips } = await run(
    t,
    `describe('a suite', () => { test('good', () => {}) })
     test('outer', async (t) => {
       await t.test('inner', () => assert.equal(1, 2, 'one is not two'))
     })
     test('left out', { skip: 'no such machine' }, () => {})`,
  )
  assert.equal(passed, 1)
  assert.deepEqual(skips, [{ name: 'left out', reason: 'no such machine' }])
  assert.equal(failures.length, 1)
  assert.equal(failures[0]!.name, 'outer > inner')
  assert.match(failures[0]!.place, /file\.test\.ts:4$/)
  assert.match(failures[0]!.text, /one is not two[\s\S]*file\.test\.ts:4:/)
  assert.doesNotMatch(failures[0]!.text, /node:/)
})

test('what tests measure is told', async (t) => {
  const { measured } = await run(t, `test('quick', (t) => t.diagnostic('7 ms'))`)
  assert.deepEqual(measured, ['7 ms'])
})

test('a test over its time fails', async (t) => {
  const { failures } = await run(t, `test('slow', () => new Promise((done) => setTimeout(done, 60_000).unref()))`, {
    testMsMax: 100,
  })
  assert.match(failures[0]!.text, /timed out after 100ms/)
})

const FAULTS: [when: string, code: string, limits: Partial<Limits>, fault: RegExp][] = [
  [
    'leaves a server open',
    `test('t', () => { net.createServer().listen(0) })`,
    { openMsMax: 100 },
    /open: .*TCPServer/,
  ],
  ['leaves a process running', `test('t', () => { spawn('sleep', ['600']) })`, { openMsMax: 100 }, /open: .*Process/],
  ['holds its event loop', `test('t', () => { for (;;); })`, { silentMsMax: 1_500 }, /held its event loop for 1\.5 s/],
  ['waits outside of tests', `await new Promise(() => setInterval(() => {}, 50))`, { idleMsMax: 500 }, /for 0\.5 s/],
  [
    'exits in a test',
    `test('t', () => setTimeout(() => process.exit(0), 50) && new Promise(() => {}))`,
    {},
    /ended with exit code 0 in the middle of a test/,
  ],
  ['cannot be read', `nonsense(`, {}, /ended with exit code 1/],
  ['fails after its tests', `test('t', () => {}); process.on('exit', () => { process.exitCode = 7 })`, {}, /code 7/],
  ['has no test', '', {}, /has no test/],
]

for (const [when, code, limits, fault] of FAULTS) {
  test(`a file that ${when} fails, and says so`, async (t) => {
    const { failures } = await run(t, code, limits)
    assert.equal(failures.length, 1)
    assert.match(failures[0]!.name, fault)
  })
}

test('what a file has started is ended with it', async (t) => {
  // The run is over when nobody holds the file's stdout any more.
  const { seconds } = await run(t, `test('t', () => { spawn('sleep', ['100'], { stdio: 'inherit' }) })`, {
    openMsMax: 100,
  })
  assert.ok(seconds < 50)
})

test('settings of a Kith of the user do not reach the tests', async (t) => {
  process.env.KITH_DATA = '/precious'
  t.after(() => delete process.env.KITH_DATA)
  const { passed } = await run(t, `test('t', () => assert.equal(process.env.KITH_DATA, undefined))`)
  assert.equal(passed, 1)
})

function run(t: TestContext, code: string, limits: Partial<Limits> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'kith-test-file-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const imports = `import { spawn } from 'node:child_process'; import net from 'node:net'
    import assert from 'node:assert/strict'; import { describe, test } from 'node:test'`
  writeFileSync(join(folder, 'file.test.ts'), `${imports.replaceAll('\n', ';')}\n${code}`)
  return runTestFile(join(folder, 'file.test.ts'), limits)
}
