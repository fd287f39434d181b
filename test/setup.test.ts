import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')

test('set-up leaves what is behind a linked node_modules as it is, and says what to do', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'kith-setup-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const clone = join(folder, 'clone')
  for (const path of ['package.json', 'package-lock.json', 'scripts/setup.mjs', 'server/build']) {
    cpSync(join(ROOT, path), join(clone, path), { recursive: true })
  }
  const packages = join(folder, 'packages')
  mkdirSync(packages)
  writeFileSync(join(packages, 'used-by-another'), '')
  symlinkSync(packages, join(clone, 'node_modules'))

  // Should it try to install all the same, it reaches nobody.
  const env = { ...process.env, npm_config_offline: 'true' }
  const { status, stderr } = spawnSync(process.execPath, [join(clone, 'scripts/setup.mjs')], { env, encoding: 'utf8' })
  assert.equal(status, 1)
  assert.match(
    stderr,
    /node_modules is a link, and what is behind it does not fit\. Set up the folder that it leads to\./,
  )
  assert.deepEqual(readdirSync(packages), ['used-by-another'])
})
