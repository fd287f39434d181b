/** Which node works a subscription, and what a node says of itself. */
import type { Kith, Node } from './kith.ts'
import { until } from './until.ts'

/** @returns the value of one line of its metrics; undefined when there is none */
export async function metricOf(node: Node, name: string): Promise<number | undefined> {
  const line = (await metricsOf(node)).find((one) => one.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length + 1))
}

/** Waits until somebody works the subscription. */
export function ownerOf(kith: Kith, subscription: { id: string }): Promise<Node> {
  return until('the subscription has an owner', async () => {
    const lease = await kith.db.read
      .selectFrom('subscription_lease')
      .select('owner')
      .where('subscription_id', '=', subscription.id)
      .executeTakeFirst()
    const living = kith.nodes.filter(({ isAlive }) => isAlive)
    const ids = await Promise.all(living.map(idOf))
    return living[ids.indexOf(lease?.owner ?? null)]
  })
}

async function idOf(node: Node): Promise<string | null> {
  const line = (await metricsOf(node)).find((one) => one.startsWith('kith_node_info{'))
  return /node="([^"]+)"/.exec(line ?? '')?.[1] ?? null
}

/** One that has just woken, or is being killed, may break the connection: it tells nothing then. */
async function metricsOf(node: Node): Promise<string[]> {
  const answer = await node.client.get('/metrics').catch(() => undefined)
  return answer?.text.split('\n') ?? []
}
