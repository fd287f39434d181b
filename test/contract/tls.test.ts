import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { connect } from 'node:tls'
import { program } from '../../server/src/commands/test-program.ts'
import { makeCertificate } from '../../server/src/webhooks/test-certificates.ts'

test('the server speaks TLS itself when given a certificate, and says so in HSTS, also below a request', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'kith-tls-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const { cert, key } = makeCertificate({ names: ['localhost'] })
  const files = { KITH_TLS_CERT: join(folder, 'cert.pem'), KITH_TLS_KEY: join(folder, 'key.pem') }
  await writeFile(files.KITH_TLS_CERT, cert)
  await writeFile(files.KITH_TLS_KEY, key, { mode: 0o600 })
  const kith = await program(t, { ...files, KITH_HOST: '127.0.0.1', KITH_PORT: '0' })
  const server = kith.start(['serve', '--json'])
  t.after(async () => {
    server.kill()
    await once(server, 'exit')
  })
  const [line] = await once(server.stdout!, 'data')
  const { url } = JSON.parse(String(line))
  assert.match(url, /^https:/)
  const { port } = new URL(url)

  const call = request(`https://localhost:${port}/api/v1/contacts`, { ca: cert, agent: false, family: 4 }).end()
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  assert.equal(answer.statusCode, 401)
  assert.equal(answer.headers['strict-transport-security'], 'max-age=63072000')
  assert.equal(JSON.parse(await text(answer)).error, 'missing_api_key')

  const socket = connect({ port: Number(port), host: '127.0.0.1', ca: cert, servername: 'localhost' })
  socket.end('nonsense\r\n\r\n')
  const raw = await text(socket)
  assert.match(raw, /^HTTP\/1\.1 400 /)
  assert.match(raw, /strict-transport-security: max-age=63072000/)
  assert.match(raw, /"error":"bad_request"/)
})
