import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readSettings } from '../../server/src/config.ts'
import { ROOT, readDeployFile, SHUTDOWN_S } from './files.ts'
import { unlessInstalled } from './installed.ts'

/** Of 100: how open systemd finds the service to be. The network, which it has to reach, is most of it. */
const EXPOSURE_MAX = 20
const UNIT = readDeployFile('kith.service')

test('deploy/kith.service starts a file that there is, with settings that can be used', () => {
  const [program, ...words] = directive('ExecStart').split(' ')
  assert.equal(program, `${directive('WorkingDirectory')}/node_modules/.bin/node`)
  assert.ok(existsSync(join(ROOT, words.find((word) => word.endsWith('.mjs'))!)))
  const env = Object.fromEntries(directives('Environment').map((pair) => pair.split('=') as [string, string]))
  assert.deepEqual(Object.keys(env), ['KITH_DATA'])
  assert.equal(readSettings({ env }).config.keyFile, `/var/lib/${directive('StateDirectory')}/kith.key`)
})

test('systemd waits longer than the server takes to end', () => {
  assert.ok(Number(directive('TimeoutStopSec')) > SHUTDOWN_S)
})

const skip = unlessInstalled('systemd-analyze')

test('systemd finds no fault with deploy/kith.service', { skip }, async (t) => {
  const { status, stderr } = analyze(await unitHere(t), ['verify'])
  // It looks into the system's own units too, which are none of ours.
  const said = stderr.split('\n').filter((line) => line.includes('kith.service'))
  assert.deepEqual([status, said], [0, []])
})

test(`systemd finds the service exposed to ${EXPOSURE_MAX} of 100 at most`, { skip }, async (t) => {
  const { status, stdout } = analyze(await unitHere(t), ['security', '--offline=true', `--threshold=${EXPOSURE_MAX}`])
  t.diagnostic(`${/Overall exposure level.*: ([\d.]+)/.exec(stdout)?.[1]} of 10 exposed`)
  assert.equal(status, 0, stdout)
})

/** A copy of the unit with the paths of this clone: systemd looks for the program. */
async function unitHere(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-unit-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'kith.service')
  await writeFile(path, UNIT.replaceAll('/opt/kith', ROOT))
  return path
}

function analyze(unit: string, [verb, ...options]: [string, ...string[]]) {
  return spawnSync('systemd-analyze', [verb, '--no-pager', ...options, unit], { encoding: 'utf8' })
}

function directive(name: string): string {
  return directives(name)[0]!
}

function directives(name: string): string[] {
  return [...UNIT.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!)
}
