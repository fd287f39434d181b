/** The limit that deliveries are held against: signs and posts as many at once as Kith does, and does nothing else. */
import { Agent } from 'undici'
import { newSigningSecret } from '../../server/src/webhooks/secrets.ts'
import { deliveryHeaders } from '../../server/src/webhooks/signature.ts'
import { eventBody } from '../frame/fill.ts'
import { personAt } from '../frame/people.ts'

export interface BarePoster {
  urls: string[]
  atOnce: number
  atOnceEach: number
}

export interface BarePosted {
  count: number
  seconds: number
}

const { urls, atOnce, atOnceEach }: BarePoster = JSON.parse(process.env.BENCH!)
const agent = new Agent({ connections: atOnceEach })
const secret = newSigningSecret()
const body = eventBody(personAt(0), new Date().toISOString())

process.on('message', async (what: string) => {
  const seconds = /^run (\d+)$/.exec(what)?.[1]
  if (seconds !== undefined) process.send!(await run(Number(seconds)))
})
// It ends when whoever measures does.
process.channel!.ref()
console.log(JSON.stringify({ url: '' }))

async function run(seconds: number): Promise<BarePosted> {
  const startedMs = performance.now()
  let count = 0
  const lane = async (_: unknown, i: number) => {
    while (performance.now() - startedMs < seconds * 1000) {
      const timestampS = Math.floor(Date.now() / 1000)
      const about = { event: 'contact.created', deliveryId: String(count), timestampS, version: '0' } as const
      const headers = deliveryHeaders({ ...about, body, secret })
      const answer = await agent.request({
        origin: urls[i % urls.length]!,
        path: '/hook',
        method: 'POST',
        headers,
        body,
      })
      await answer.body.text()
      count++
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return { count, seconds: (performance.now() - startedMs) / 1000 }
}
