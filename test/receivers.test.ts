/** The receivers of docs/receivers, run as they are and held against the golden vectors beside them. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { deliveryHeaders } from '../server/src/webhooks/signature.ts'
import { type Client, createAgent, createClient } from './support/http-client.ts'
import { until } from './support/until.ts'

interface Vector {
  name: string
  /** The newest first. */
  secrets: string[]
  body: string
  headers: Record<string, string>
}

const FOLDER = join(import.meta.dirname, '../docs/receivers')
const VECTORS: Vector[] = JSON.parse(readFileSync(join(FOLDER, 'vectors.json'), 'utf8'))
const [whole, replaced] = VECTORS as [Vector, Vector]
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const ANY_TIME_S = '1e12'

const RECEIVERS = [
  { name: 'receiver.ts', command: process.execPath, needs: false },
  { name: 'receiver.py', command: 'python3', needs: missing('python3') },
]

for (const { name, command, needs: skip } of RECEIVERS) {
  const start = (t: Test, secrets: string[], settings?: Record<string, string>) =>
    startReceiver(t, [command, join(FOLDER, name)], { WEBHOOK_SECRETS: secrets.join(), ...settings })

  for (const { name: what, secrets, body, headers } of VECTORS) {
    test(`${name} takes a delivery: ${what}`, { skip }, async (t) => {
      const receiver = await start(t, secrets)
      assert.equal((await receiver.client.post('/hook', body, headers)).status, 204)
      const { event, ts, payload } = JSON.parse(body)
      const taken = { id: headers['X-Service-Delivery'], event, ts, about: payload.contact.id }
      assert.deepEqual(await receiver.taken(1), [taken])
    })
  }

  test(`${name} takes a delivery that is sent again once`, { skip }, async (t) => {
    const receiver = await start(t, replaced.secrets)
    for (let i = 0; i < 3; i++) {
      assert.equal((await receiver.client.post('/hook', replaced.body, replaced.headers)).status, 204)
    }
    assert.equal((await receiver.client.post('/hook', whole.body, whole.headers)).status, 204)
    const ids = (await receiver.taken(2)).map(({ id }) => id)
    assert.deepEqual(ids, [replaced.headers['webhook-id'], whole.headers['webhook-id']])
  })

  test(`${name} refuses what is not as it was signed, and takes nothing of it`, { skip }, async (t) => {
    const receiver = await start(t, whole.secrets)
    const { body, headers } = whole
    const refused: [what: string, body: string, headers: Record<string, string>][] = [
      ['a body with one letter changed', body.replace('Ada', 'Eda'), headers],
      ['a body with a space more', `${body} `, headers],
      ['no body', '', headers],
      ['another id', body, { ...headers, 'webhook-id': replaced.headers['webhook-id']! }],
      ['another time', body, { ...headers, 'webhook-timestamp': '1778751001' }],
      ['a time that is none', body, { ...headers, 'webhook-timestamp': 'now' }],
      ['the signature of another body', body, { ...headers, 'X-Service-Signature': signatureOf(replaced) }],
      ['a signature cut short', body, { ...headers, 'X-Service-Signature': signatureOf(whole).slice(0, -1) }],
      ['a signature that is not ASCII', body, { ...headers, 'X-Service-Signature': `${signatureOf(whole)}é` }],
      ['a stamp that is not ASCII', body, { ...headers, 'webhook-signature': 'v1,é' }],
      ['a stamp of another version', body, { ...headers, 'webhook-signature': headers['webhook-signature']!.slice(1) }],
      ...['X-Service-Signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
        (header): [string, string, Record<string, string>] => [`no ${header}`, body, without(headers, header)],
      ),
    ]
    for (const [what, sent, given] of refused) {
      assert.equal((await receiver.client.post('/hook', sent, given)).status, 401, what)
    }
    assert.equal((await receiver.client.post('/hook', body, headers)).status, 204)
    assert.equal((await receiver.taken(1)).length, 1)
  })

  test(`${name} refuses the right signature of a wrong secret`, { skip }, async (t) => {
    const receiver = await start(t, [OTHER_SECRET])
    assert.equal((await receiver.client.post('/hook', whole.body, whole.headers)).status, 401)
    assert.deepEqual(await receiver.taken(0), [])
  })

  test(`${name} refuses a sending of long ago`, { skip }, async (t) => {
    const receiver = await start(t, whole.secrets, { WEBHOOK_TOLERANCE_S: '300' })
    assert.equal((await receiver.client.post('/hook', whole.body, whole.headers)).status, 401)
    const fresh = signedAt(Math.floor(Date.now() / 1000))
    assert.equal((await receiver.client.post('/hook', whole.body, fresh)).status, 204)
    assert.equal((await receiver.taken(1)).length, 1)
  })

  test(`${name} refuses a body over 1 MiB before it reads it`, { skip }, async (t) => {
    const receiver = await start(t, whole.secrets)
    assert.equal((await receiver.client.post('/hook', whole.body, { 'content-length': '1048577' })).status, 413)
    assert.deepEqual(await receiver.taken(0), [])
  })

  test(`${name} does not start without a secret`, { skip }, () => {
    for (const secrets of ['', 'whsec_', `${OTHER_SECRET},`]) {
      const { status } = spawnSync(command, [join(FOLDER, name)], { env: environment({ WEBHOOK_SECRETS: secrets }) })
      assert.equal(status, 1, JSON.stringify(secrets))
    }
  })
}

test('the golden vectors are what Kith sends', () => {
  for (const { secrets, body, headers, name } of VECTORS) {
    const sent = deliveryHeaders({
      event: headers['X-Service-Event']!,
      deliveryId: headers['X-Service-Delivery']!,
      timestampS: Number(headers['webhook-timestamp']),
      body,
      secret: secrets[0]!,
      ...(secrets[1] !== undefined && { replacedSecret: secrets[1] }),
      version: '0',
    })
    const { 'User-Agent': _agent, 'Content-Type': _type, ...signed } = sent
    assert.deepEqual(signed, headers, name)
  }
})

/** What is needed of node:test's context. */
interface Test {
  after(hook: () => void | Promise<void>): void
}

interface Running {
  client: Client
  /** What it says it has taken, once that is so much. */
  taken(count: number): Promise<Record<string, string>[]>
}

async function startReceiver(t: Test, [command, file]: [string, string], settings: Record<string, string>) {
  const agent = createAgent()
  const child = spawn(command, [file], { env: environment(settings), stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => end(child))
  t.after(() => agent.destroy())
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => (said += chunk))
  await until(`${file} listens`, () => said.includes('\n') || child.exitCode !== null)
  const origin = /^Listening on (http:\S+)\n/.exec(said)?.[1]
  assert.ok(origin, said)
  return {
    client: createClient(agent, () => origin),
    async taken(count) {
      const lines = () => said.split('\n').slice(1, -1)
      await until(`${count} deliveries are taken`, () => lines().length >= count)
      return lines().map((line) => JSON.parse(line))
    },
  } satisfies Running
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill()
  await ended
}

function environment(settings: Record<string, string>): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', WEBHOOK_TOLERANCE_S: ANY_TIME_S, ...settings }
}

/** @returns why what needs the command is left out; false where the command is there */
function missing(command: string): string | false {
  return spawnSync(command, ['--version']).status === 0 ? false : `there is no ${command} on this machine`
}

function signatureOf({ headers }: Vector): string {
  return headers['X-Service-Signature']!
}

function signedAt(timestampS: number): Record<string, string> {
  const { body, headers, secrets } = whole
  const [event, deliveryId] = [headers['X-Service-Event']!, headers['X-Service-Delivery']!]
  return deliveryHeaders({ event, deliveryId, timestampS, body, secret: secrets[0]!, version: '0' })
}

function without(headers: Record<string, string>, name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([header]) => header !== name))
}
