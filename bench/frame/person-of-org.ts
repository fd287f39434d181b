/** Someone of the org who has signed in to the web app, for what only a person does. */
import { randomUUID } from 'node:crypto'
import { type Child, kithCommand } from './child.ts'
import type { Filled } from './data.ts'

/** What a browser sends along with a change that a page of Kith asks for. */
const OWN_PAGE = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }

export interface SignedInPerson {
  /** Sends what a browser would. @param path under `/ui` @throws Error unless the answer is a 2xx */
  send(method: string, path: string, body?: string | Blob, headers?: Record<string, string>): Promise<Response>
}

export async function signIn({ program, place, orgId }: Filled, kith: Child): Promise<SignedInPerson> {
  // A database that is only read is used by several benches, each with a person of its own.
  const email = `${randomUUID()}@example.com`
  const of = ['--org', orgId, '--role', 'admin']
  const { password } = await kithCommand<{ password: string }>(program, place, 'user', 'create', email, ...of)
  let cookie = ''
  const person: SignedInPerson = {
    async send(method, path, body, headers) {
      const response = await fetch(`${kith.url}/ui${path}`, {
        method,
        headers: { ...(body === undefined ? { 'sec-fetch-site': 'same-origin' } : OWN_PAGE), cookie, ...headers },
        ...(body !== undefined && { body }),
      })
      if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${await response.text()}`)
      return response
    },
  }
  const response = await person.send('POST', '/sign-in', JSON.stringify({ email, password }))
  await response.text()
  cookie = response.headers.get('set-cookie')!.split(';')[0]!
  return person
}
