import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEPLOY_FILES, readDeployFile, SETTING_NAMES } from './files.ts'

for (const name of DEPLOY_FILES) {
  test(`deploy/${name} names settings that there are`, () => {
    for (const [setting] of readDeployFile(name).matchAll(/\bKITH_[A-Z_]+\b/g)) {
      assert.ok(SETTING_NAMES.includes(setting), `${setting} is no setting`)
    }
  })
}
