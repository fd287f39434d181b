import { Agent } from 'undici'
import { createAddressGuard } from '../../server/src/outgoing/address-guard.ts'
import { newSigningSecret } from '../../server/src/webhooks/secrets.ts'
import { createSender, type Sender } from '../../server/src/webhooks/sender.ts'
import { deliveryHeaders } from '../../server/src/webhooks/signature.ts'
import { eventBody } from '../frame/fill.ts'
import { type Bench, compare, costTable } from '../frame/outcome.ts'
import { personAt } from '../frame/people.ts'
import type { Contestant, Cost } from '../frame/turns.ts'
import { startReceivers } from '../frame/webhooks.ts'

const AT_ONCE = 64
const HANGING = 200
const BODY = eventBody(personAt(0), new Date().toISOString())

export const sender: Bench = {
  claim: 'Address guard, deadline and limits of a delivery cost little beside the HTTP client.',
  async run(context) {
    const { urls } = await startReceivers(context, 1)
    const url = `${urls[0]}/hook`
    const agent = new Agent({ connections: AT_ONCE })
    const sender = createSender({ guard: createAddressGuard(['127.0.0.1']) })
    context.defer(() => Promise.all([agent.close(), sender.close()]))
    const fixed = signed()
    const undici = async () => {
      const answer = await agent.request({
        origin: urls[0]!,
        path: '/hook',
        method: 'POST',
        headers: fixed,
        body: BODY,
      })
      await answer.body.text()
    }
    const compared = await compare(
      [
        repeated('undici alone', undici),
        repeated('Kith’s sender', () => send(sender, url, fixed)),
        repeated('Kith’s sender, signing', () => send(sender, url, signed())),
      ],
      context,
    )
    for (let i = 0; i < HANGING; i++)
      sender.send({ url: `${urls[0]}/hang`, headers: fixed, body: BODY }).catch(() => {})
    const name = `Kith’s sender beside ${HANGING} that hang`
    const beside = await compare([repeated(name, () => send(sender, url, fixed))], context)
    const all = { names: [...compared.names, name], costs: [...compared.costs, ...beside.costs] }
    return {
      setting: `One receiver, ${AT_ONCE} deliveries at once; processor time of the whole process that sends.`,
      tables: [costTable(all)],
      figures: {},
    }
  },
}

function signed(): Record<string, string> {
  const about = { event: 'contact.created', deliveryId: 'd', timestampS: 1, version: '0' } as const
  return deliveryHeaders({ ...about, body: BODY, secret: SECRET })
}

const SECRET = newSigningSecret()

async function send(sender: Sender, url: string, headers: Record<string, string>): Promise<void> {
  const { delivered, error } = await sender.send({ url, headers, body: BODY })
  if (!delivered) throw new Error(error ?? 'not delivered')
}

/** Work of this process, so many at once. */
function repeated(name: string, once: () => Promise<void>): Contestant {
  return {
    name,
    async run(seconds): Promise<Cost> {
      const before = process.cpuUsage()
      const startedMs = performance.now()
      let count = 0
      const lane = async () => {
        while (performance.now() - startedMs < seconds * 1000) {
          await once()
          count++
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, lane))
      const { user, system } = process.cpuUsage(before)
      const perSecond = count / ((performance.now() - startedMs) / 1000)
      return { count, perSecond, serverUs: (user + system) / count, databaseUs: 0, p50: Number.NaN, p99: Number.NaN }
    },
  }
}
