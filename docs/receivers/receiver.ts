/**
 * Receives Kith's webhooks with Node alone, 22.18 or newer: `WEBHOOK_SECRETS=whsec_… node receiver.ts`
 *
 * WEBHOOK_SECRETS      the signing secret; while it is being replaced both, separated by a comma
 * WEBHOOK_TOLERANCE_S  how many seconds a sending may lie from this machine's clock; 300 unless given
 * PORT                 on 127.0.0.1, behind what speaks TLS for you; 8090 unless given
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

const { WEBHOOK_SECRETS = '', WEBHOOK_TOLERANCE_S = '300', PORT = '8090' } = process.env
const BODY_BYTES_MAX = 1024 * 1024
const KNOWN_IDS_MAX = 10_000
const secrets = WEBHOOK_SECRETS.split(',')
const isWhole = (secret: string) => /^whsec_[A-Za-z0-9+/]{43}=$/.test(secret)
if (!secrets.every(isWhole)) throw new Error('WEBHOOK_SECRETS must be one secret, or several with commas between.')

/** In your own receiver a unique column in the transaction that does the work: it survives a restart. */
const knownIds = new Set<string>()

const server = createServer(async (request, response) => {
  const end = (status: number) => response.writeHead(status, status === 204 ? {} : { connection: 'close' }).end()
  try {
    if (request.method !== 'POST') return end(405)
    if (!(Number(request.headers['content-length']) <= BODY_BYTES_MAX)) return end(413)
    const body = await buffer(request)
    if (!isGenuine(request.headers, body)) return end(401)
    takeOnce(String(request.headers['webhook-id']), body)
    end(204)
  } catch (error) {
    console.error(error)
    end(500)
  }
})

/** Both signatures are over the bytes as they came; parsed and written anew they would be others. */
function isGenuine(headers: IncomingHttpHeaders, body: Buffer): boolean {
  const header = (name: string) => String(headers[name] ?? '')
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')]
  const isFresh = Math.abs(Date.now() / 1000 - Number(timestamp)) <= Number(WEBHOOK_TOLERANCE_S)
  const isSigned = secrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(body).digest('hex')
    return isSame(header('x-service-signature'), `sha256=${expected}`)
  })
  const isStamped = secrets.some((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
    return header('webhook-signature')
      .split(' ')
      .some((given) => isSame(given, `v1,${expected}`))
  })
  return isFresh && isSigned && isStamped
}

/** Takes the same time wherever two texts differ, so that a signature cannot be guessed bit by bit. */
function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function takeOnce(id: string, body: Buffer): void {
  if (knownIds.has(id)) return
  const { event, ts, payload } = JSON.parse(body.toString('utf8'))
  console.log(JSON.stringify({ id, event, ts, about: (payload.contact ?? payload.task).id }))
  knownIds.add(id)
  for (const oldest of knownIds) if (knownIds.size > KNOWN_IDS_MAX) knownIds.delete(oldest)
}

server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
