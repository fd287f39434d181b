import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { signBody } from '../../../server/src/webhooks/signature.ts'
import { verifiersFor } from './verifiers.ts'

// With every kind of character that base64 has.
const SECRET = `whsec_${Buffer.alloc(32, 0xfb).toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const BODY = JSON.stringify({ event: 'contact.created', payload: { contact: { full_name: "O’Hara's “Ünïcode”" } } })

const SERVERS = [
  { id: 'node', command: process.execPath, file: 'receiver.mjs' },
  { id: 'python', command: 'python3', file: 'receiver.py' },
] as const

for (const { id, command, file } of SERVERS) {
  test(`the ${id} verifier takes what was signed with its secret, and refuses everything else`, {
    skip: missing(command),
  }, async (t) => {
    const url = await start(t, command, written(t, file, textOf(id)))
    const send = async (body: string, signature?: string) => {
      const headers: Record<string, string> = signature === undefined ? {} : { 'x-service-signature': signature }
      return (await fetch(url, { method: 'POST', body, headers })).status
    }
    assert.equal(await send(BODY, signBody(SECRET, BODY)), 204)
    assert.equal(await send(`${BODY} `, signBody(SECRET, BODY)), 401)
    assert.equal(await send(BODY, signBody(OTHER, BODY)), 401)
    assert.equal(await send(BODY, 'sha256='), 401)
    assert.equal(await send(BODY), 401)
    assert.equal(await send(BODY, signBody(SECRET, BODY)), 204)
  })
}

test('the shell verifier tells what was signed with its secret from everything else', {
  skip: missing('openssl') || missing('sh'),
}, (t) => {
  const script = written(t, 'verify.sh', textOf('shell'))
  const body = written(t, 'body.json', BODY)
  const verify = (signature: string) => spawnSync('sh', [script, body, signature], { encoding: 'utf8' })
  assert.deepEqual(outcome(verify(signBody(SECRET, BODY))), [0, 'genuine\n', ''])
  assert.deepEqual(outcome(verify(signBody(OTHER, BODY))), [1, 'forged\n', ''])
})

function textOf(id: string): string {
  return verifiersFor(SECRET).find((verifier) => verifier.id === id)!.text
}

function outcome({ status, stdout, stderr }: { status: number | null; stdout: string; stderr: string }) {
  return [status, stdout, stderr]
}

function written(t: TestContext, name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'kith-verifier-'))
  t.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

async function start(t: TestContext, command: string, path: string): Promise<string> {
  const child: ChildProcess = spawn(command, [path], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  t.after(() => child.kill())
  // Read to its end, so that what it prints later never waits for us.
  const port = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stdout!.on('data', (chunk) => {
      said += chunk
      const found = /Listening on port (\d+)/.exec(said)?.[1]
      if (found) resolve(found)
    })
    child.once('exit', () => reject(new Error(`It ended and said: ${said}`)))
  })
  return `http://127.0.0.1:${port}/`
}

function missing(command: string): string | false {
  const { error } = spawnSync(command, ['--version'])
  return error ? `there is no ${command} here` : false
}
