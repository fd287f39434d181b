import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { VERSION } from './version.ts'

const KITH = new URL('../bin/kith.mjs', import.meta.url).pathname

test('kith alone prints its help', async () => {
  const alone = await kith([])
  assert.deepEqual(alone, await kith(['--help']))
  assert.equal(alone.code, 0)
  assert.match(alone.stdout, /^Usage: kith COMMAND\n/)
  assert.match(alone.stdout, /\n {2}config +Show the settings/)
  assert.equal(alone.stderr, '')
})

test('an unknown command exits with 2 and suggests the nearest, on stderr alone', async () => {
  assert.deepEqual(await kith(['confgi']), {
    code: 2,
    stdout: '',
    stderr:
      'kith: There is no command "kith confgi". Did you mean "kith config"?\n' +
      'Usage: kith serve|org|user|token|webhook|import|places|backup|restore|demo|doctor|config\n' +
      '"kith --help" says more.\n',
  })
})

test('kith --version prints the version of the package', async () => {
  assert.deepEqual(await kith(['--version']), { code: 0, stdout: `${VERSION}\n`, stderr: '' })
})

test('kith config shows the settings in effect and where each comes from, secrets masked', async () => {
  const { code, stdout, stderr } = await kith(['config', '--port', '9000'], {
    KITH_DATABASE_URL: 'postgres://kith:sentinel@db/kith',
    KITH_INSECURE_HTTP: '1',
  })
  assert.deepEqual([code, stderr], [0, ''])
  const rows = new Map(stdout.split('\n').map((line) => [line.split(' ')[0], line.split(/ {2,}/).slice(1)]))
  assert.deepEqual(rows.get('KITH_PORT'), ['9000', 'flag --port'])
  assert.deepEqual(rows.get('KITH_HOST'), ['127.0.0.1', 'default'])
  assert.deepEqual(rows.get('KITH_INSECURE_HTTP'), ['1', 'variable'])
  assert.deepEqual(rows.get('KITH_DATABASE_URL'), ['postgres://kith:***@db/kith', 'variable'])
  assert.deepEqual(rows.get('KITH_TRUST_PROXY'), ['(none)', 'default'])
})

test('kith config --json prints one JSON value', async () => {
  const { code, stdout } = await kith(['config', '--json'], { KITH_DELIVERY_DAYS: '7' })
  assert.equal(code, 0)
  assert.deepEqual(
    JSON.parse(stdout).find(({ name }: { name: string }) => name === 'KITH_DELIVERY_DAYS'),
    { name: 'KITH_DELIVERY_DAYS', value: 7, source: 'variable', from: 'KITH_DELIVERY_DAYS' },
  )
})

test('wrong settings exit with 2 and are all told', async () => {
  const { code, stdout, stderr } = await kith(['config'], { KITH_PROT: '1', KITH_PORT: 'x\u001b[2J' })
  assert.deepEqual([code, stdout], [2, ''])
  assert.equal(
    stderr,
    'kith: There is no setting KITH_PROT. Did you mean KITH_PORT?\n' +
      'kith: KITH_PORT must be a whole number from 0 to 65535, not "x\\u001b[2J".\n',
  )
})

test('a password on the command line exits with 2, says why, and is not repeated', async () => {
  const { code, stdout, stderr } = await kith(['config', '--database-url', 'postgres://kith:sentinel@db/kith'])
  assert.deepEqual([code, stdout], [2, ''])
  assert.match(stderr, /^kith: --database-url may not hold a password, since everyone on this machine can read/)
  assert.doesNotMatch(stderr, /sentinel/)
})

test('a reader that stops reading ends the command quietly', async () => {
  const child = start(['config', '--help'])
  child.stdout?.destroy()
  const [stderr, [code]] = await Promise.all([text(child.stderr!), once(child, 'close')])
  assert.deepEqual([code, stderr], [0, ''])
})

async function kith(args: string[], env: Record<string, string> = {}) {
  const child = start(args, env)
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'close')])
  return { code, stdout, stderr }
}

function start(args: string[], env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [KITH, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
}
