/** Receivers that misbehave, in every way we could think of: each sending ends in time, with the right outcome. */

import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { createAddressGuard } from '../outgoing/address-guard.ts'
import { createSender, type Sender, type SendOutcome } from './sender.ts'
import { makeCertificate } from './test-certificates.ts'

const DEADLINE_MS = 2000
/** What a loaded machine may take on top; a missing deadline would be seconds more. */
const SLACK_MS = 3000
/** For 1,000 at once, of which this process and the receiver's share the machine. */
const MANY_DEADLINE_MS = 3000
const BODY_MAX = 16 * 1024

const CLOSED = 'The connection was closed before an answer came.'
const NO_HTTP = 'The answer is not valid HTTP.'
const LATE = 'No answer within 2 s.'
const LATE_HEADERS = "The answer's headers did not end within 2 s."
const LARGE_HEADERS = "The answer's headers are larger than 16 KiB."
const ENDLESS = 'The answer goes on without end.'
const REDIRECT = (status: number) => `Answered ${status}: redirects are not followed and count as failed.`

interface Hostile {
  /** What the receiver does once it has the request. */
  answers?: (socket: Socket) => void
  /** What it does as soon as somebody connects. */
  greets?: (socket: Socket) => void
  expected: Partial<SendOutcome>
}

const failed = (status: number | null, error: string, more: Partial<SendOutcome> = {}) => ({
  delivered: false,
  responseStatus: status,
  error,
  ...more,
})
const delivered = (status: number, body: string, bodyCut: boolean, more: Partial<SendOutcome> = {}) => ({
  delivered: true,
  responseStatus: status,
  error: null,
  responseBody: body,
  bodyCut,
  ...more,
})

const OK = 'HTTP/1.1 200 OK\r\n'
const says = (text: string | Buffer) => (socket: Socket) => void socket.end(text)
const saysAndStays = (text: string | Buffer) => (socket: Socket) => void socket.write(text)
const saysAndResets = (text: string) => (socket: Socket) => void socket.write(text, () => socket.resetAndDestroy())
const headed = (body: string | Buffer, headers = '') =>
  Buffer.concat([Buffer.from(`${OK}${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n`), Buffer.from(body)])

const headOf = (bytes: number) =>
  `${OK}content-length: 0\r\n${'a: b\r\n'.repeat(1000)}x: `.padEnd(bytes - 4, 'y') + '\r\n\r\n'

/** Says `start`, then `more` again and again, one piece each `everyMs` or, with 0, as fast as they are taken. */
const goesOn = (start: string, more: string | Buffer, everyMs: number) => (socket: Socket) => {
  socket.write(start)
  const again = () => {
    if (socket.destroyed) return
    if (everyMs > 0) setTimeout(() => socket.write(more, again), everyMs)
    else socket.write(more, () => setImmediate(again))
  }
  again()
}

const drips = (text: string, everyMs: number) => (socket: Socket) => {
  let at = 0
  const timer = setInterval(() => {
    if (socket.destroyed || at >= text.length) clearInterval(timer)
    else socket.write(text[at++]!)
  }, everyMs)
}

const BIG = 'x'.repeat(64 * 1024)
const BOMB = gzipSync(Buffer.alloc(10_000_000))

const HOSTILE: Record<string, Hostile> = {
  // Silence, and breaking off at each stage.
  'never answers': { answers: () => {}, expected: failed(null, LATE) },
  'never reads': { greets: (socket) => void socket.pause(), expected: failed(null, LATE) },
  'closes as it is connected to': { greets: (socket) => void socket.destroy(), expected: failed(null, CLOSED) },
  'resets as it is connected to': {
    greets: (socket) => void socket.resetAndDestroy(),
    expected: { delivered: false, responseStatus: null },
  },
  'closes after the request': { answers: (socket) => void socket.end(), expected: failed(null, CLOSED) },
  'resets after the request': { answers: (socket) => void socket.resetAndDestroy(), expected: failed(null, CLOSED) },
  'half a status line, then silence': { answers: saysAndStays('HTTP/1.1 20'), expected: failed(null, LATE) },
  'half a status line, then closes': { answers: says('HTTP/1.1 20'), expected: failed(null, CLOSED) },
  'half a status line, then resets': { answers: saysAndResets('HTTP/1.'), expected: failed(null, CLOSED) },
  'status line, then silence': {
    answers: saysAndStays(OK),
    expected: failed(200, LATE_HEADERS, { responseHeaders: null }),
  },
  'status line 500, then silence': {
    answers: saysAndStays('HTTP/1.1 500 No\r\n'),
    expected: failed(500, 'Answered 500.'),
  },
  'status line, then closes': { answers: says(OK), expected: failed(200, CLOSED) },
  'half the headers, then resets': { answers: saysAndResets(`${OK}a: b\r\nc`), expected: failed(200, CLOSED) },
  'headers, then silence': {
    answers: saysAndStays(`${OK}content-length: 5\r\n\r\n`),
    expected: delivered(200, '', true),
  },
  'headers, then resets': {
    answers: saysAndResets(`${OK}content-length: 5\r\n\r\n`),
    expected: delivered(200, '', true),
  },
  'half the body, then closes': {
    answers: says(`${OK}content-length: 5\r\n\r\nab`),
    expected: delivered(200, 'ab', true),
  },

  // Drips and floods.
  'a head of 16 KiB': {
    answers: says(headOf(16 * 1024)),
    expected: delivered(200, '', false),
  },
  'a head of 16 KiB and one byte': { answers: says(headOf(16 * 1024 + 1)), expected: failed(200, LARGE_HEADERS) },
  'status line drips': { answers: drips(`${OK}content-length: 0\r\n\r\n`, 250), expected: failed(null, LATE) },
  'all drips, in time': {
    answers: drips(`${OK}content-length: 2\r\n\r\nab`, 2),
    expected: delivered(200, 'ab', false),
  },
  'headers drip for ever': { answers: goesOn(OK, 'a: b\r\n', 10), expected: failed(200, LATE_HEADERS) },
  'headers flood': { answers: goesOn(OK, 'a: b\r\n'.repeat(1000), 0), expected: failed(200, LARGE_HEADERS) },
  'one header of 17 KiB': {
    answers: says(`${OK}a: ${'b'.repeat(17 * 1024)}\r\n\r\n`),
    expected: failed(200, LARGE_HEADERS),
  },
  'a reason that floods': { answers: goesOn('HTTP/1.1 200 ', BIG, 0), expected: failed(200, LARGE_HEADERS) },
  'body drips for ever': {
    answers: goesOn(`${OK}transfer-encoding: chunked\r\n\r\n`, '1\r\nx\r\n', 30),
    expected: { delivered: true, responseStatus: 200, error: null, bodyCut: true },
  },
  'body drips for ever, 500': {
    answers: goesOn('HTTP/1.1 500 No\r\n\r\n', 'x', 30),
    expected: failed(500, 'Answered 500.', { bodyCut: true }),
  },
  'body floods, chunked': {
    answers: goesOn(`${OK}transfer-encoding: chunked\r\n\r\n`, `10000\r\n${BIG}\r\n`, 0),
    expected: delivered(200, 'x'.repeat(BODY_MAX), true),
  },
  'body floods until closed': {
    answers: goesOn(`${OK}\r\n`, BIG, 0),
    expected: delivered(200, 'x'.repeat(BODY_MAX), true),
  },
  'a body of an exabyte, announced': {
    answers: goesOn(`${OK}content-length: 1000000000000000000\r\n\r\n`, BIG, 0),
    expected: delivered(200, 'x'.repeat(BODY_MAX), true),
  },
  'a body of 16 KiB': {
    answers: says(headed('x'.repeat(BODY_MAX))),
    expected: delivered(200, 'x'.repeat(BODY_MAX), false),
  },
  'a body of 16 KiB and one byte': {
    answers: says(headed('x'.repeat(BODY_MAX + 1))),
    expected: delivered(200, 'x'.repeat(BODY_MAX), true),
  },
  '16 KiB in chunks of one byte': {
    answers: says(`${OK}transfer-encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(BODY_MAX)}0\r\n\r\n`),
    expected: delivered(200, 'x'.repeat(BODY_MAX), false),
  },
  'a chunk extension that floods': {
    answers: goesOn(`${OK}transfer-encoding: chunked\r\n\r\n1;`, BIG, 0),
    expected: delivered(200, '', true),
  },
  'trailers that flood': {
    answers: goesOn(`${OK}transfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n`, 'a: b\r\n'.repeat(1000), 0),
    expected: delivered(200, 'x', true),
  },
  'a gzip bomb': {
    answers: says(headed(BOMB, 'content-encoding: gzip\r\n')),
    expected: { delivered: true, responseStatus: 200, error: null },
  },

  // Informational answers.
  '100 Continue that nobody asked for': {
    answers: says(`HTTP/1.1 100 Continue\r\n\r\n${headed('ok')}`),
    expected: delivered(200, 'ok', false),
  },
  '103 Early Hints, then 200': {
    answers: says(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${headed('ok', 'a: b\r\n')}`),
    expected: delivered(200, 'ok', false, {
      responseHeaders: [
        ['a', 'b'],
        ['content-length', '2'],
      ],
    }),
  },
  '100, 102 and 103 in pieces, then 204': {
    answers: drips(
      'HTTP/1.1 100 C\r\n\r\nHTTP/1.1 102 P\r\n\r\nHTTP/1.1 103 E\r\na: b\r\n\r\nHTTP/1.1 204 No\r\n\r\n',
      1,
    ),
    expected: delivered(204, '', false),
  },
  '100 Continue, then silence': {
    answers: saysAndStays('HTTP/1.1 100 Continue\r\n\r\n'),
    expected: failed(null, LATE),
  },
  '100 Continue for ever': { answers: goesOn('', 'HTTP/1.1 100 Continue\r\n\r\n', 10), expected: failed(null, LATE) },
  '100 Continue floods': {
    answers: goesOn('', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1000), 0),
    expected: failed(null, ENDLESS),
  },
  'an informational answer without end': {
    answers: goesOn('HTTP/1.1 103 Early Hints\r\n', 'a: b\r\n'.repeat(1000), 0),
    expected: failed(null, LARGE_HEADERS),
  },
  '101 Switching Protocols': {
    answers: saysAndStays('HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
    expected: failed(101, 'Answered 101.'),
  },
  'status 199, then 200': {
    answers: says(`HTTP/1.1 199 Odd\r\n\r\n${headed('ok')}`),
    expected: delivered(200, 'ok', false),
  },

  // Status lines.
  'status 299': { answers: says('HTTP/1.1 299 Odd\r\ncontent-length: 0\r\n\r\n'), expected: delivered(299, '', false) },
  'status 300': {
    answers: says('HTTP/1.1 300 Odd\r\ncontent-length: 0\r\n\r\n'),
    expected: failed(300, REDIRECT(300)),
  },
  'status 304': { answers: says('HTTP/1.1 304 Not Modified\r\n\r\n'), expected: failed(304, REDIRECT(304)) },
  'status 404 with a body': {
    answers: says('HTTP/1.1 404 Not Found\r\ncontent-length: 4\r\n\r\ngone'),
    expected: failed(404, 'Answered 404.', { responseBody: 'gone', bodyCut: false }),
  },
  'status 410': {
    answers: says('HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n'),
    expected: failed(410, 'Answered 410.'),
  },
  'status 500': {
    answers: says('HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n'),
    expected: failed(500, 'Answered 500.'),
  },
  'status 999': {
    answers: says('HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n'),
    expected: failed(999, 'Answered 999.'),
  },
  'status 20': { answers: says('HTTP/1.1 20 OK\r\ncontent-length: 0\r\n\r\n'), expected: failed(null, NO_HTTP) },
  'status 2000': { answers: says('HTTP/1.1 2000 OK\r\ncontent-length: 0\r\n\r\n'), expected: failed(null, NO_HTTP) },
  'no reason': { answers: says('HTTP/1.1 200\r\ncontent-length: 0\r\n\r\n'), expected: delivered(200, '', false) },
  '204 with a body': {
    answers: says('HTTP/1.1 204 No\r\ncontent-length: 4\r\n\r\nbody'),
    expected: delivered(204, '', false),
  },
  'HTTP/1.0, ended by closing': { answers: says('HTTP/1.0 200 OK\r\n\r\nold'), expected: delivered(200, 'old', false) },
  'no length, ended by closing': { answers: says(`${OK}\r\nbody`), expected: delivered(200, 'body', false) },
  'HTTP/0.9': { answers: says('<html>old and long enough to be read</html>'), expected: failed(null, NO_HTTP) },
  'HTTP/2 without being asked': {
    answers: says(Buffer.from('000012040000000000000300000064000400600000000500004000', 'hex')),
    expected: failed(null, NO_HTTP),
  },
  'another protocol greets first': {
    greets: says('SSH-2.0-OpenSSH_9.9\r\n'),
    expected: { delivered: false, responseStatus: null },
  },
  noise: { answers: says(Buffer.alloc(5000, 0xa5)), expected: failed(null, NO_HTTP) },

  // Broken framing.
  'two different content-lengths': {
    answers: says(`${OK}content-length: 2\r\ncontent-length: 3\r\n\r\nabc`),
    expected: failed(200, NO_HTTP),
  },
  'content-length and chunked': {
    answers: says(`${OK}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n`),
    expected: failed(200, NO_HTTP),
  },
  'a negative content-length': { answers: says(`${OK}content-length: -1\r\n\r\n`), expected: failed(200, NO_HTTP) },
  'a header without a colon': { answers: says(`${OK}nothing\r\n\r\n`), expected: failed(200, NO_HTTP) },
  'a space in a header name': { answers: says(`${OK}a b: c\r\n\r\n`), expected: failed(200, NO_HTTP) },
  'a NUL in a header': { answers: says(`${OK}a: b\0c\r\n\r\n`), expected: failed(200, NO_HTTP) },
  'broken chunks': {
    answers: says(`${OK}transfer-encoding: chunked\r\n\r\n2\r\nab\r\nzz\r\n`),
    expected: delivered(200, 'ab', true),
  },
  'a second answer behind the first': {
    answers: says(`${headed('one')}${headed('two')}`),
    expected: delivered(200, 'one', false),
  },

  // Text that would do harm where it is shown or stored.
  'invalid UTF-8 and NUL in the body': {
    answers: says(headed(Buffer.from([0x61, 0xff, 0x00, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0x62]))),
    expected: delivered(200, 'a\ufffd\ufffd\ufffd(\ufffd\ufffd\ufffdb', false),
  },
  'a script and an ANSI sequence in the body': {
    answers: says(headed('<script>alert(1)</script>\x1b[2J')),
    expected: delivered(200, '<script>alert(1)</script>\x1b[2J', false),
  },
  'a character cut at 16 KiB': {
    answers: says(headed(`${'x'.repeat(BODY_MAX - 1)}€`)),
    expected: delivered(200, 'x'.repeat(BODY_MAX - 1), true),
  },
  'invalid UTF-8 and a script in a header': {
    answers: says(
      Buffer.concat([
        Buffer.from(`${OK}x: <script>é`),
        Buffer.from([0xff]),
        Buffer.from('\r\ncontent-length: 0\r\n\r\n'),
      ]),
    ),
    expected: delivered(200, '', false, {
      responseHeaders: [
        ['x', '<script>é\ufffd'],
        ['content-length', '0'],
      ],
    }),
  },
}

test('each hostile receiver ends within the deadline, with the outcome that the status line decides', async (t) => {
  assert.ok(Object.keys(HOSTILE).length >= 40)
  const sender = startSender(t)
  await Promise.all(
    Object.entries(HOSTILE).map(async ([name, { answers, greets, expected }]) => {
      const port = await startReceiver(t, greets ?? onRequest(answers!))
      const startedMs = performance.now()
      const outcome = await post(sender, `http://127.0.0.1:${port}/`)
      const tookMs = performance.now() - startedMs
      const seen = Object.fromEntries(Object.keys(expected).map((key) => [key, outcome[key as keyof SendOutcome]]))
      assert.deepEqual(seen, expected, name)
      assert.ok(tookMs < DEADLINE_MS + SLACK_MS, `${name}: ${tookMs} ms`)
      assert.ok(Number.isInteger(outcome.durationMs) && outcome.durationMs <= tookMs + 1)
    }),
  )
})

test('a gzip body is kept as the bytes that came, cut at 16 KiB and never decompressed', async (t) => {
  const bytes = gzipSync(Buffer.from('{"a":1}'))
  const port = await startReceiver(t, onRequest(says(headed(bytes, 'content-encoding: gzip\r\n'))))
  const outcome = await post(startSender(t), `http://127.0.0.1:${port}/`)
  assert.equal(outcome.responseBody, bytes.toString('utf8').replaceAll('\0', '\ufffd'))
})

test('a redirect to a private address is a failure, and nobody connects there', async (t) => {
  let connections = 0
  const port = await startReceiver(t, () => connections++)
  for (const status of [301, 302, 303, 307, 308]) {
    const answer = `HTTP/1.1 ${status} Moved\r\nlocation: http://127.0.0.1:${port}/\r\ncontent-length: 0\r\n\r\n`
    const redirecting = await startReceiver(t, onRequest(says(answer)))
    const outcome = await post(startSender(t), `http://127.0.0.1:${redirecting}/`)
    assert.deepEqual([outcome.delivered, outcome.error], [false, REDIRECT(status)])
  }
  assert.equal(connections, 0)
})

test('a certificate that does not fit is a failure, and the receiver sees no request', async (t) => {
  const day = 86_400_000
  const names = ['hooks.example', '127.0.0.1']
  const authority = makeCertificate({ names: ['Authority'], isAuthority: true })
  const stranger = makeCertificate({ names: ['Stranger'], isAuthority: true })
  const issuer = authority
  const cases: [error: string | null, options: TlsOptions, host?: string][] = [
    [null, makeCertificate({ names, issuer })],
    [null, makeCertificate({ names, issuer }), '127.0.0.1'],
    ['The TLS certificate is for another host.', makeCertificate({ names: ['other.example'], issuer })],
    ['The TLS certificate is for another host.', makeCertificate({ names: ['hooks.example'], issuer }), '127.0.0.1'],
    ['The TLS certificate is self-signed.', makeCertificate({ names })],
    [
      'The TLS certificate is not from a trusted authority, or its chain is incomplete.',
      makeCertificate({ names, issuer: stranger }),
    ],
    [
      'The TLS certificate has expired.',
      makeCertificate({
        names,
        issuer,
        notBefore: new Date(Date.now() - 9 * day),
        notAfter: new Date(Date.now() - day),
      }),
    ],
    [
      'The TLS certificate is not valid yet.',
      makeCertificate({ names, issuer, notBefore: new Date(Date.now() + day / 2) }),
    ],
    [
      'The TLS handshake failed.',
      {
        ...makeCertificate({ names, issuer }),
        maxVersion: 'TLSv1.1',
        minVersion: 'TLSv1',
        ciphers: 'DEFAULT@SECLEVEL=0',
      },
    ],
  ]
  const sender = startSender(t, { ca: authority.cert })
  for (const [error, options, host = 'hooks.example'] of cases) {
    let requests = 0
    const server = createTlsServer(options, (socket) => {
      socket.once('data', () => {
        requests++
        socket.end(headed('ok'))
      })
      socket.on('error', () => {})
    })
    const outcome = await post(sender, `https://${host}:${await listen(t, server)}/`)
    assert.equal(outcome.error, error)
    assert.deepEqual([outcome.delivered, requests], error === null ? [true, 1] : [false, 0])
  }
})

test('NODE_TLS_REJECT_UNAUTHORIZED does not turn the verification off', async (t) => {
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  t.after(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED)
  const server = createTlsServer(makeCertificate({ names: ['hooks.example'] }), (socket) =>
    socket.on('error', () => {}),
  )
  const outcome = await post(startSender(t), `https://hooks.example:${await listen(t, server)}/`)
  assert.equal(outcome.error, 'The TLS certificate is self-signed.')
})

test('a TLS handshake that hangs, breaks, or is none, ends in time', async (t) => {
  const cases: [error: RegExp, receiver: (socket: Socket) => void][] = [
    [/^The TLS handshake did not end within 2 s.$/, () => {}],
    [/^The TLS handshake did not end within 2 s.$/, goesOn('\x16\x03\x03\x40\x00', '\x02', 20)],
    [/^The connection was closed (at once|during the TLS handshake).$/, (socket) => void socket.resetAndDestroy()],
    [/^The connection was closed during the TLS handshake.$/, onRequest((socket) => void socket.end())],
    [/^The TLS handshake failed.$/, onRequest(says('HTTP/1.1 400 Bad Request\r\n\r\n'))],
  ]
  const sender = startSender(t)
  await Promise.all(
    cases.map(async ([error, receiver]) => {
      const outcome = await post(sender, `https://127.0.0.1:${await startReceiver(t, receiver)}/`)
      assert.match(outcome.error!, error)
      assert.equal(outcome.responseStatus, null)
      assert.ok(outcome.durationMs < DEADLINE_MS + SLACK_MS)
    }),
  )
})

test('a receiver over TLS that closes before every request is given up after the second connection', async (t) => {
  const authority = makeCertificate({ names: ['Authority'], isAuthority: true })
  let connections = 0
  const server = createTlsServer(makeCertificate({ names: ['127.0.0.1'], issuer: authority }), (socket) => {
    connections++
    socket.on('error', () => {}).end('too early')
  })
  const outcome = await post(startSender(t, { ca: authority.cert }), `https://127.0.0.1:${await listen(t, server)}/`)
  assert.equal(outcome.delivered, false)
  assert.ok(connections <= 2, `${connections} connections`)
})

test('a connection that is never accepted ends in time', { skip: process.platform !== 'linux' }, async (t) => {
  const { child, port } = await startChild(t, 1)
  child.kill('SIGSTOP')
  const waiting = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  t.after(() => waiting.map((socket) => socket.destroy()))
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => post(startSender(t), `http://127.0.0.1:${port}/`)))
  for (const { error, durationMs } of outcomes) {
    assert.match(error!, /^No (connection|answer) within 2 s.$/)
    assert.ok(durationMs < DEADLINE_MS + SLACK_MS)
  }
  assert.ok(outcomes.some(({ error }) => error!.startsWith('No connection')))
})

test('1,000 hostile receivers at once cost at most 50 MB and hold no healthy one', async (t) => {
  const { port } = await startChild(t, 1024)
  const sender = startSender(t, { deadlineMs: MANY_DEADLINE_MS })
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const bytesInUse = () => {
    collectGarbage()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  await post(sender, `http://127.0.0.1:${port}/healthy`)
  const before = bytesInUse()
  let peak = before
  const sampling = setInterval(() => {
    peak = Math.max(peak, bytesInUse())
  }, 100)
  const kinds = ['flood', 'drip', 'hang', 'headers']
  const sendings = Array.from({ length: 1000 }, (_, index) =>
    post(sender, `http://127.0.0.1:${port}/${kinds[index % 4]}`),
  )
  const healthy = await post(sender, `http://127.0.0.1:${port}/healthy`)
  const outcomes = await Promise.all(sendings)
  clearInterval(sampling)
  assert.equal(healthy.delivered, true)
  assert.equal(outcomes.length, 1000)
  for (const { durationMs } of outcomes) assert.ok(durationMs < MANY_DEADLINE_MS + SLACK_MS, `${durationMs} ms`)
  assert.ok(peak - before < 50e6, `${Math.round((peak - before) / 1e6)} MB`)
})

/** Starts a receiver as another process and waits for its port. */
async function startChild(t: TestContext, backlog: number): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(join(import.meta.dirname, 'test-receiver.ts'), [String(backlog)])
  t.after(() => child.kill('SIGKILL'))
  const [port] = await once(child, 'message')
  return { child, port }
}

function startSender(t: TestContext, options: { ca?: string; deadlineMs?: number } = {}): Sender {
  const guard = createAddressGuard(['127.0.0.1'])
  const resolver = { resolve: async () => ['127.0.0.1'], cancel() {} }
  const sender = createSender({ guard, resolver, deadlineMs: DEADLINE_MS, ...options })
  t.after(() => sender.close())
  return sender
}

function post(sender: Sender, url: string): Promise<SendOutcome> {
  return sender.send({ url, headers: { 'content-type': 'application/json' }, body: '{"event":"contact.created"}' })
}

function onRequest(answer: (socket: Socket) => void): (socket: Socket) => void {
  return (socket) => void socket.once('data', () => answer(socket))
}

function startReceiver(t: TestContext, receive: (socket: Socket) => void): Promise<number> {
  return listen(
    t,
    createServer((socket) => {
      socket.on('error', () => {})
      receive(socket)
    }),
  )
}

async function listen(t: TestContext, server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  })
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return (server.address() as AddressInfo).port
}
