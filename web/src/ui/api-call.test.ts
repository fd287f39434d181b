import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { curlOf } from './api-call.ts'

const API = 'https://kith.example.com/api/v1'

test('a list is a GET with the token left in its variable', () => {
  assert.equal(
    curlOf({ method: 'GET', path: '/contacts?stage=lead' }, API),
    `curl 'https://kith.example.com/api/v1/contacts?stage=lead' \\\n  -H "Authorization: Bearer $KITH_TOKEN"`,
  )
})

test('a shell reads back what was meant, whatever the data holds', () => {
  const body = { full_name: `Ada "the first" O'Neill $(id) \`id\` \\ !\n`, tags: ["'"] }
  const script = curlOf({ method: 'POST', path: "/contacts?q=d'Arc&stage=$HOME", body }, API)
  const shown = execFileSync('sh', ['-c', script.replace(/^curl/, `printf '%s\\0'`)], {
    env: { ...process.env, KITH_TOKEN: 'kith_secret' },
    encoding: 'utf8',
  }).split('\0')
  assert.deepEqual(shown.slice(0, 6), [
    '-X',
    'POST',
    `${API}/contacts?q=d'Arc&stage=$HOME`,
    '-H',
    'Authorization: Bearer kith_secret',
    '-H',
  ])
  assert.deepEqual(JSON.parse(shown[8]!), body)
})
