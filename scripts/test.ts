/**
 * `npm test`: the checks, then every test file (`npm test -- webhooks`: those with that in their path).
 * The last line is `N passed, N failed`, with `, N skipped` where there are any.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { startPostgresServer } from '../test/support/postgres-server.ts'
import { type FileOutcome, killTestFiles, runTestFile } from './test-file.ts'

/** The files of test/ start real programs and take longest: they come first. */
const FOLDERS = ['test', 'server/src', 'web/src', 'scripts', 'bench']
/** When and where a browser draws depends on what else the machine does: a file of these is run again before it fails. */
const BROWSER_TESTS = 'test/browser/'
const root = join(import.meta.dirname, '..')
const filters = process.argv.slice(2)
const paths = FOLDERS.flatMap((folder) => globSync(`${folder}/**/*.test.ts`, { cwd: root }).sort()).filter(
  (path) => filters.length === 0 || filters.some((filter) => path.includes(filter)),
)
const total = { passed: 0, skipped: 0 }
const failed: string[] = []

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1))
process.on('exit', killTestFiles)

const [postgres] = await Promise.all([sharedPostgres(), runChecks()])
if (paths.length === 0) console.log(`No test file has ${filters.join(' or ')} in its path.`)
const queue = [...paths]
await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, runQueue))
await postgres?.stop()

for (const name of failed) console.log(`FAIL  ${name}`)
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : ''
console.log(`\n${total.passed} passed, ${failed.length} failed${skipped}`)
process.exitCode = failed.length === 0 && total.passed > 0 ? 0 : 1

async function runChecks() {
  const check = spawn(process.execPath, [join(root, 'scripts/check.ts')], { cwd: root, stdio: 'inherit' })
  const [code] = await once(check, 'exit')
  if (code !== 0) failed.push('npm run check')
}

/** One PostgreSQL for all files. Where none starts, the files that need one say why. */
async function sharedPostgres() {
  if (process.env.KITH_TEST_DATABASE_URL) return undefined
  try {
    const server = await startPostgresServer()
    process.env.KITH_TEST_DATABASE_URL = server.url
    return server
  } catch {
    return undefined
  }
}

async function runQueue() {
  for (let path = queue.shift(); path; path = queue.shift()) {
    let outcome = await runTestFile(path)
    if (outcome.failures.length > 0 && path.startsWith(BROWSER_TESTS)) {
      console.log(describe('again', path, outcome))
      outcome = await runTestFile(path)
    }
    total.passed += outcome.passed
    failed.push(...outcome.failures.map(({ name }) => `${path}: ${name}`))
    total.skipped += outcome.skips.length
    console.log(describe(outcome.failures.length > 0 ? 'FAIL ' : 'ok   ', path, outcome))
  }
}

function describe(
  word: string,
  path: string,
  { passed, failures, skips, measured, output, seconds }: FileOutcome,
): string {
  const counts = [`${passed} passed`]
  if (failures.length > 0) counts.push(`${failures.length} failed`)
  if (skips.length > 0) counts.push(`${skips.length} skipped`)
  const lines = [`${word} ${path}  ${counts.join(', ')}  ${seconds.toFixed(1)} s`]
  for (const text of measured) lines.push(`      measured: ${text}`)
  for (const { name, reason } of skips) lines.push(`      skipped: ${name} (${reason})`)
  for (const { name, place, text } of failures) lines.push('', `    ${name}`, indent(place), indent(text))
  if (failures.length > 0 && output) lines.push('', '    What the file wrote:', indent(output.trimEnd()))
  if (failures.length > 0) lines.push('')
  return lines.filter((line) => line.trim() !== '' || line === '').join('\n')
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '      ')
}
