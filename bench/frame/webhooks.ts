import { type Child, kithCommand } from './child.ts'
import type { Filled } from './data.ts'
import { programFor } from './kiths.ts'
import type { Context } from './outcome.ts'

/** Receivers in a process of their own, until the bench ends. @returns it, and the address of each */
export async function startReceivers(context: Context, receivers: number): Promise<{ child: Child; urls: string[] }> {
  const child = await programFor(context, 'receivers', { receivers })
  return { child, urls: child.url.split(' ') }
}

/** Makes a subscription to contacts that are added and changed for each address. @returns their ids */
export async function subscribe({ program, place, orgId }: Filled, urls: readonly string[]): Promise<string[]> {
  const events = ['--org', orgId, '--events', 'contact.created,contact.updated']
  const ids: string[] = []
  for (const url of urls) {
    const { id } = await kithCommand<{ id: string }>(program, place, 'webhook', 'create', url, ...events)
    ids.push(id)
  }
  return ids
}
