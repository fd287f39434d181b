/** `npm run check`: format and lint, types, direction of imports; side by side, and quiet but for what is wrong. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { importFaults } from './import-direction.ts'

const root = join(import.meta.dirname, '..')
const colour = process.stdout.isTTY ? 'force' : 'off'

/** Each resolves to what is wrong, empty when nothing is. */
const CHECKS: Record<string, () => Promise<string>> = {
  'format and lint (biome check --write puts most of it right)': () =>
    said('biome', ['ci', '--diagnostic-level=error', `--colors=${colour}`]),
  types: () => typeFaults('.'),
  'types of the web app': () => typeFaults('web'),
  'types of the browser tests': () => typeFaults('test/browser'),
  'direction of imports': async () => importFaults().join('\n'),
}

const start = performance.now()
const found = await Promise.all(
  Object.entries(CHECKS).map(async ([name, check]) => {
    const faults = await check()
    if (faults) console.log(`FAIL  ${name}\n\n${faults.trimEnd()}\n`)
    return faults
  }),
)
const failed = found.filter(Boolean).length
const seconds = ((performance.now() - start) / 1000).toFixed(1)
console.log(failed ? `${failed} of ${found.length} checks failed  ${seconds} s` : `ok    checks  ${seconds} s`)
process.exitCode = failed ? 1 : 0

function typeFaults(project: string): Promise<string> {
  return said('tsc', ['--project', project, '--noEmit', '--pretty', String(process.stdout.isTTY ?? false)])
}

/** Runs a tool of node_modules: what it said when it failed, else nothing. */
function said(tool: string, options: string[]): Promise<string> {
  return new Promise((resolve) => {
    const settings = { cwd: root, maxBuffer: 64 * 1024 * 1024 }
    execFile(join(root, 'node_modules/.bin', tool), options, settings, (err, stdout, stderr) => {
      resolve(err ? `${stdout}${stderr}` || err.message : '')
    })
  })
}
