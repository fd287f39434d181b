import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createServer as createTlsServer } from 'node:tls'
import { createAddressGuard } from '../outgoing/address-guard.ts'
import { failureOf, SendImpossible } from '../outgoing/send-failure.ts'
import { newSigningSecret } from './secrets.ts'
import { createSender, type SendOutcome } from './sender.ts'
import { deliveryHeaders, signBody } from './signature.ts'
import { makeCertificate } from './test-certificates.ts'

/** A connection rests for 10 ms before it is used again; a test that wants to see it used again lets it. */
const REST_MS = 20
const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

test('a delivery arrives as one POST with its headers and the exact bytes that were signed', async (t) => {
  const secret = newSigningSecret()
  const body = Buffer.from('{"event":"contact.created","payload":{"full_name":"Ada é€😀"}}')
  const headers = deliveryHeaders({
    event: 'contact.created',
    deliveryId: 'd1',
    timestampS: 1,
    body,
    secret,
    version: '1.0.0',
  })
  let seen: { line: string; headers: string[]; body: Buffer } | undefined
  const port = await startHttp(t, async (request, response) => {
    const bytes = Buffer.concat(await Array.fromAsync(request))
    seen = { line: `${request.method} ${request.url}`, headers: request.rawHeaders, body: bytes }
    response.end('ok')
  })
  const outcome = await startSender(t).send({ url: `http://127.0.0.1:${port}/a%20b/?x=1&y=%C3%BC`, headers, body })
  assert.equal(outcome.delivered, true)
  assert.equal(seen!.line, 'POST /a%20b/?x=1&y=%C3%BC')
  assert.deepEqual(seen!.body, body)
  assert.equal(signBody(secret, seen!.body), headers['X-Service-Signature'])
  const framing = ['host', `127.0.0.1:${port}`, 'connection', 'keep-alive']
  assert.deepEqual(seen!.headers, [
    ...framing,
    ...Object.entries(headers).flat(),
    'content-length',
    String(body.length),
  ])
})

test('a delivered outcome tells status, times, headers and body', async (t) => {
  const port = await startHttp(t, (_request, response) => {
    response.sendDate = false
    response
      .writeHead(
        202,
        [
          ['X-One', '1'],
          ['Set-Cookie', 'a'],
          ['Set-Cookie', 'b'],
        ].flat(),
      )
      .end('taken')
  })
  const { durationMs, timings, ...outcome } = await startSender(t).send(to(port))
  assert.deepEqual(outcome, {
    delivered: true,
    responseStatus: 202,
    error: null,
    responseHeaders: [
      ['X-One', '1'],
      ['Set-Cookie', 'a'],
      ['Set-Cookie', 'b'],
      ['Connection', 'keep-alive'],
      ['Keep-Alive', 'timeout=5'],
      ['Transfer-Encoding', 'chunked'],
    ],
    responseBody: 'taken',
    bodyCut: false,
  } satisfies Partial<SendOutcome>)
  assert.ok(Number.isInteger(durationMs))
  assert.deepEqual([timings.resolveMs, timings.tlsMs], [null, null])
  assert.ok(timings.connectMs! > 0 && timings.firstByteMs! > 0)
})

test('a name over TLS is resolved, connected to and verified, each with its time', async (t) => {
  const authority = makeCertificate({ names: ['Authority'], isAuthority: true })
  let servername: unknown
  const server = createTlsServer(makeCertificate({ names: ['hooks.example'], issuer: authority }), (socket) => {
    servername = socket.servername
    socket.on('error', () => {}).on('data', () => socket.write(ANSWER))
  })
  const port = await listen(t, server)
  const sender = startSender(t, { ca: authority.cert })
  const first = await sender.send({ ...to(port), url: `https://hooks.example:${port}/` })
  assert.deepEqual([first.delivered, first.error, servername], [true, null, 'hooks.example'])
  for (const ms of Object.values(first.timings)) assert.ok(ms! > 0)
  await setTimeout(REST_MS)
  const second = await sender.send({ ...to(port), url: `https://hooks.example:${port}/` })
  assert.deepEqual(
    { ...second.timings, firstByteMs: 0 },
    { resolveMs: null, connectMs: null, tlsMs: null, firstByteMs: 0 },
  )
})

test('a connection is kept for the next delivery, and closed within 2 seconds of idling', async (t) => {
  const { port, connections, closed } = await startRaw(t, (socket) => socket.on('data', () => socket.write(ANSWER)))
  const sender = startSender(t)
  for (let round = 0; round < 5; round++) {
    assert.equal((await sender.send(to(port))).delivered, true)
    await setTimeout(REST_MS)
  }
  assert.equal(connections(), 1)
  const idleSinceMs = performance.now()
  await closed()
  const idleMs = performance.now() - idleSinceMs
  assert.ok(idleMs > 500 && idleMs < 2000, `${idleMs} ms`)
  assert.equal((await sender.send(to(port))).delivered, true)
  assert.equal(connections(), 2)
})

test('a connection is not kept when the receiver says so, or keeps it for a second only', async (t) => {
  for (const header of ['connection: close', 'keep-alive: timeout=1']) {
    const answer = ANSWER.replace('\r\n\r\n', `\r\n${header}\r\n\r\n`)
    const { port, connections } = await startRaw(t, (socket) => socket.on('data', () => socket.write(answer)))
    const sender = startSender(t)
    for (let round = 0; round < 3; round++) assert.equal((await sender.send(to(port))).delivered, true)
    assert.equal(connections(), 3, header)
  }
})

test('a receiver that closes each connection after its answer without saying so loses no delivery', async (t) => {
  const { port, connections } = await startRaw(t, (socket) => socket.once('data', () => socket.end(ANSWER)))
  const sender = startSender(t)
  for (let round = 0; round < 20; round++) {
    const { error } = await sender.send(to(port))
    assert.equal(error, null)
  }
  assert.equal(connections(), 20)
})

test('a kept connection that breaks with a request on it is a failure and not tried again', async (t) => {
  let requests = 0
  const { port, connections } = await startRaw(t, (socket) =>
    socket.on('data', () => {
      requests++
      if (requests === 2) socket.resetAndDestroy()
      else socket.write(ANSWER)
    }),
  )
  const sender = startSender(t)
  assert.equal((await sender.send(to(port))).delivered, true)
  await setTimeout(REST_MS)
  const broken = await sender.send(to(port))
  assert.deepEqual([broken.delivered, broken.error], [false, 'The connection was closed before an answer came.'])
  assert.deepEqual([requests, connections()], [2, 1])
})

test('an answer whose body is cut closes its connection', async (t) => {
  const answer = `HTTP/1.1 200 OK\r\ncontent-length: 99999\r\n\r\n${'x'.repeat(20_000)}`
  const { port, connections, closed } = await startRaw(t, (socket) => socket.on('data', () => socket.write(answer)))
  const sender = startSender(t)
  assert.equal((await sender.send(to(port))).bodyCut, true)
  await closed()
  assert.equal((await sender.send(to(port))).bodyCut, true)
  assert.equal(connections(), 2)
})

test('a refused URL is an outcome, and nobody is connected to', async (t) => {
  const { port, connections } = await startRaw(t, () => {})
  const { durationMs, ...outcome } = await startSender(t, { allow: [] }).send({
    ...to(port),
    url: `https://127.0.0.1:${port}/`,
  })
  assert.deepEqual(outcome, {
    delivered: false,
    responseStatus: null,
    error: 'The address is private and not allowed.',
    timings: { resolveMs: null, connectMs: null, tlsMs: null, firstByteMs: null },
    responseHeaders: null,
    responseBody: null,
    bodyCut: false,
  } satisfies Partial<SendOutcome>)
  assert.equal(durationMs, 0)
  assert.equal(connections(), 0)
})

test('nobody listening is a failure', async (t) => {
  const { port, stop } = await startRaw(t, () => {})
  await stop()
  assert.equal((await startSender(t).send(to(port))).error, 'The connection was refused.')
})

test('the addresses of a name are tried in order, four at most', async (t) => {
  const { port, connections } = await startRaw(t, (socket) => socket.on('data', () => socket.write(ANSWER)))
  const allow = ['127.0.0.1', 'hooks.example', '::1']
  const send = (addresses: string[]) =>
    startSender(t, { allow, addresses }).send({ ...to(port), url: `http://hooks.example:${port}/` })
  assert.equal((await send(['::1', '::1', '::1', '127.0.0.1'])).error, null)
  assert.equal((await send(['127.0.0.1', '::1'])).error, null)
  assert.equal(connections(), 2)
  assert.equal((await send(['::1', '::1', '::1', '::1', '127.0.0.1'])).delivered, false)
  assert.equal(connections(), 2)
  assert.equal((await send([])).error, 'The name could not be found.')
})

test('proxies named in the environment are ignored', async (t) => {
  const proxy = await startRaw(t, (socket) => socket.on('data', () => socket.write(ANSWER)))
  const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY']
  for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : `http://127.0.0.1:${proxy.port}`
  t.after(() => names.map((name) => delete process.env[name]))
  const receiver = await startRaw(t, (socket) => socket.on('data', () => socket.write(ANSWER)))
  assert.equal((await startSender(t).send(to(receiver.port))).delivered, true)
  assert.deepEqual([proxy.connections(), receiver.connections()], [0, 1])
})

test('a signal ends a sending in any phase, without an outcome, and its connection', async (t) => {
  const hangs: Record<string, (signal: AbortSignal) => Promise<SendOutcome>> = {}
  const raw = await startRaw(t, () => {})
  const half = await startRaw(t, (socket) => socket.on('data', () => socket.write(ANSWER.slice(0, -1))))
  const sender = startSender(t)
  const stuck = startSender(t, { resolve: () => new Promise(() => {}) })
  hangs.resolve = (signal) => stuck.send({ ...to(raw.port), url: `https://hooks.example:${raw.port}/`, signal })
  hangs.tls = (signal) => sender.send({ ...to(raw.port), url: `https://127.0.0.1:${raw.port}/`, signal })
  hangs.answer = (signal) => sender.send({ ...to(raw.port), signal })
  hangs.body = (signal) => sender.send({ ...to(half.port), signal })
  for (const [phase, send] of Object.entries(hangs)) {
    const stop = new AbortController()
    const sending = send(stop.signal)
    if (phase === 'tls' || phase === 'answer') await raw.received()
    if (phase === 'body') await half.received()
    stop.abort(new Error(`stopped in ${phase}`))
    await assert.rejects(sending, { message: `stopped in ${phase}` })
    if (phase === 'tls' || phase === 'answer') await raw.closed()
    if (phase === 'body') await half.closed()
    await assert.rejects(send(stop.signal), { message: `stopped in ${phase}` })
  }
  assert.deepEqual([raw.connections(), half.connections()], [2, 1])
})

test('close ends what is being sent and every connection, and nothing can be sent then', async (t) => {
  const hanging = await startRaw(t, () => {})
  const healthy = await startRaw(t, (socket) => socket.on('data', () => socket.write(ANSWER)))
  const sender = startSender(t)
  await sender.send(to(healthy.port))
  const sending = sender.send(to(hanging.port))
  const rejected = assert.rejects(sending, { message: 'The sender is closed.' })
  await hanging.received()
  await sender.close()
  await rejected
  await Promise.all([hanging.closed(), healthy.closed()])
  await assert.rejects(sender.send(to(healthy.port)), { message: 'The sender is closed.' })
  assert.equal(healthy.connections(), 1)
})

test('a hanging receiver holds no other, not even one at the same host', async (t) => {
  const { port } = await startRaw(t, (socket) =>
    socket.on('data', (request) => {
      if (!request.includes('/hang')) socket.write(ANSWER)
    }),
  )
  const sender = startSender(t, { deadlineMs: 3000 })
  const hanging = Array.from({ length: 300 }, () => sender.send({ ...to(port), url: `http://127.0.0.1:${port}/hang` }))
  for (const sending of hanging) sending.catch(() => {})
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => sender.send(to(port))))
  for (const { delivered, durationMs } of outcomes) assert.ok(delivered && durationMs < 2000, `${durationMs} ms`)
})

test('what this process lacks is no failure of the receiver', () => {
  for (const code of ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL']) {
    assert.ok(failureOf(Object.assign(new Error(), { code }), 'connect') instanceof SendImpossible, code)
  }
})

interface TestSender {
  allow?: string[]
  addresses?: string[]
  resolve?: (hostname: string) => Promise<string[]>
  ca?: string
  deadlineMs?: number
}

function startSender(t: TestContext, options: TestSender = {}) {
  const {
    allow = ['127.0.0.1'],
    addresses = ['127.0.0.1'],
    resolve = async () => addresses,
    ca,
    deadlineMs = 2000,
  } = options
  const sender = createSender({ guard: createAddressGuard(allow), resolver: { resolve, cancel() {} }, ca, deadlineMs })
  t.after(() => sender.close())
  return sender
}

function to(port: number) {
  return { url: `http://127.0.0.1:${port}/hook`, headers: {}, body: '{"event":"contact.created"}' }
}

function startHttp(t: TestContext, listener: RequestListener): Promise<number> {
  const server = createHttpServer(listener)
  t.after(() => server.closeAllConnections())
  return listen(t, server)
}

/** A receiver that counts its connections; `received` and `closed` wait for the newest one. */
async function startRaw(t: TestContext, receive: (socket: Socket) => void) {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {}).on('data', () => server.emit('received'))
    receive(socket)
  })
  const port = await listen(t, server)
  t.after(() => sockets.map((socket) => socket.destroy()))
  return {
    port,
    connections: () => sockets.length,
    received: () => once(server, 'received'),
    async closed() {
      const newest = sockets.at(-1)!
      if (!newest.closed) await new Promise((resolve) => newest.once('close', resolve))
    },
    async stop() {
      server.close()
      await once(server, 'close')
    },
  }
}

async function listen(t: TestContext, server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}
