/** How many deliveries a second the sender makes, against undici alone. `node bench/webhook-sender.ts [seconds]` */

import { fork } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent } from 'undici'
import { createAddressGuard } from '../server/src/outgoing/address-guard.ts'
import { newSigningSecret } from '../server/src/webhooks/secrets.ts'
import { createSender } from '../server/src/webhooks/sender.ts'
import { deliveryHeaders } from '../server/src/webhooks/signature.ts'

const AT_ONCE = 64
const BODY = Buffer.from(
  JSON.stringify({ event: 'contact.updated', ts: '2026-05-14T09:30:00.000Z', payload: 'x'.repeat(700) }),
)

if (process.send) receive()
else await measure(Number(process.argv[2] ?? 5))

function receive(): void {
  const server = createServer((request, response) => {
    if (request.url === '/hang') return
    request.resume().on('end', () => response.end('ok'))
  })
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
}

async function measure(seconds: number): Promise<void> {
  const receiver = fork(import.meta.filename)
  const port = await new Promise<number>((resolve) => receiver.once('message', (port) => resolve(port as number)))
  const url = `http://127.0.0.1:${port}/hook`
  const secret = newSigningSecret()
  const sign = () =>
    deliveryHeaders({ event: 'contact.updated', deliveryId: 'd', timestampS: 1, body: BODY, secret, version: '0' })

  const agent = new Agent({ connections: AT_ONCE })
  const fixed = sign()
  const sender = createSender({ guard: createAddressGuard(['127.0.0.1']) })
  const kinds = {
    'undici alone': async () => {
      const answer = await agent.request({
        origin: `http://127.0.0.1:${port}`,
        path: '/hook',
        method: 'POST',
        headers: fixed,
        body: BODY,
      })
      await answer.body.text()
    },
    'the sender': async () => delivered(await sender.send({ url, headers: fixed, body: BODY })),
    'the sender, signing': async () => delivered(await sender.send({ url, headers: sign(), body: BODY })),
  }
  for (const [name, once] of [...Object.entries(kinds), ...Object.entries(kinds)]) {
    console.log(`${name}: ${Math.round(await perSecond(once, seconds))}/s`)
  }

  const hanging = Array.from({ length: 200 }, () =>
    sender.send({ url: `http://127.0.0.1:${port}/hang`, headers: fixed, body: BODY }),
  )
  for (const sending of hanging) sending.catch(() => {})
  console.log(`the sender beside 200 that hang: ${Math.round(await perSecond(kinds['the sender'], seconds))}/s`)
  await sender.close()
  await agent.close()
  receiver.kill()
}

function delivered(outcome: { delivered: boolean; error: string | null }): void {
  if (!outcome.delivered) throw new Error(outcome.error ?? 'not delivered')
}

async function perSecond(once: () => Promise<void>, seconds: number): Promise<number> {
  const startedMs = performance.now()
  let count = 0
  const lane = async () => {
    while (performance.now() - startedMs < seconds * 1000) {
      await once()
      count++
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return count / ((performance.now() - startedMs) / 1000)
}
