/** What the README promises, done as it says: from an empty folder to verified deliveries of a whole import. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { verify } from '@octokit/webhooks-methods'
import { Webhook } from 'standardwebhooks'
import { createAgent, createClient } from './support/http-client.ts'
import { startReceiver } from './support/receiver.ts'
import { until } from './support/until.ts'

const KITH = join(import.meta.dirname, '../server/bin/kith.mjs')
const COMPANIES = join(import.meta.dirname, '../server/src/imports/testdata/sp500-companies.csv')
const COMPANIES_COUNT = 503

test('first hour: serve, the three commands that it prints, an import of 503 companies, 503 signed deliveries', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'kith-first-hour-'))
  const receiver = await startReceiver()
  const agent = createAgent()
  const env = { PATH: process.env.PATH, KITH_PORT: '0', KITH_WEBHOOK_ALLOW: '127.0.0.1' }
  const server = spawn(process.execPath, [KITH, 'serve'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  t.after(async () => {
    if (server.exitCode === null) server.kill('SIGKILL')
    agent.destroy()
    await receiver.close()
    await rm(folder, { recursive: true, force: true })
  })

  const printed = await welcomeOf(server)
  const url = /^Kith is running at (http:\/\/127\.0\.0\.1:\d+)$/m.exec(printed)?.[1]
  assert.ok(url, printed)
  assert.match(printed, /^Set-up code: [A-Z2-9]{4}(-[A-Z2-9]{4}){3}$/m)
  const commands = [...printed.matchAll(/^ {2}npx kith (.+)$/gm)].map(([, command]) => command!)
  assert.equal(commands.length, 3, printed)

  const kith = async (command: string, fill: Record<string, string> = {}) => {
    const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!)
    const args = [KITH, ...words.map((word) => fill[word] ?? word), '--json']
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env })
    return JSON.parse(stdout)
  }
  const hook = receiver.hook()
  const org = await kith(commands[0]!)
  const { token } = await kith(commands[1]!, { ORG_ID: org.id })
  const { secret } = await kith(commands[2]!, { ORG_ID: org.id, 'https://example.com/hooks': hook.url })

  const client = createClient(agent, () => url, { authorization: `Bearer ${token}` })
  assert.deepEqual((await client.get('/api/v1/contacts')).body, { data: [], meta: { count: 0, limit: 50, offset: 0 } })
  const imported = await kith(`import ${COMPANIES} --org ORG_ID`, { ORG_ID: org.id })
  assert.equal((await client.get('/api/v1/contacts')).body.meta.count, COMPANIES_COUNT, JSON.stringify(imported))

  const received = await hook.until(COMPANIES_COUNT)
  const standard = new Webhook(secret)
  for (const { headers, body, json } of received) {
    assert.equal(json.event, 'contact.created')
    assert.ok(await verify(secret, body.toString(), String(headers['x-service-signature'])))
    standard.verify(body.toString(), headers as Record<string, string>)
  }
  assert.equal(new Set(received.map(({ headers }) => headers['x-service-delivery'])).size, COMPANIES_COUNT)
  assert.equal(new Set(received.map(({ json }) => json.payload.contact.id)).size, COMPANIES_COUNT)

  const ada = { full_name: 'Ada Lovelace', company: 'Analytical Engines', deal_stage: 'lead' }
  const made = await client.post('/api/v1/contacts', ada)
  assert.equal(made.status, 201)
  assert.deepEqual((await hook.until(COMPANIES_COUNT + 1)).at(-1)!.json.payload.contact, made.body)
  await until('every delivery is recorded', async () => {
    const deliveries = await kith('webhook deliveries --org ORG_ID --limit 1000', { ORG_ID: org.id })
    assert.equal(deliveries.length, COMPANIES_COUNT + 1)
    return deliveries.every(({ status }: { status: string }) => status === 'delivered')
  })

  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
})

/** What is printed up to the last line of the welcome. */
async function welcomeOf(server: ChildProcess): Promise<string> {
  let printed = ''
  server.stdout!.setEncoding('utf8').on('data', (chunk) => (printed += chunk))
  server.stderr!.resume()
  await until('the welcome', () => printed.includes('ORG_ID is the id') || server.exitCode !== null)
  return printed
}
