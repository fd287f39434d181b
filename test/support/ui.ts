/** Someone who has signed in to the web app: a client of `/ui` that sends what a browser of theirs would. */
import { createMember } from '../../server/src/members/actions.ts'
import { hashPassword } from '../../server/src/members/password.ts'
import type { Member, Role } from '../../server/src/members/schema.ts'
import { startSession } from '../../server/src/sessions/actions.ts'
import type { Client, Headers } from './http-client.ts'
import type { Kith } from './kith.ts'

/** A client; paths are those under `/ui`. */
export interface Ui extends Client {
  member: Member
  sessionId: string
  /** The cookie's text, as a `Cookie` header has it. */
  cookie: string
  password: string
}

export interface Person {
  role?: Role
  name?: string
  email?: string
}

/** Of every person that the tests make. */
export const PASSWORD = 'quiet harbour lantern'

/** What a browser sends along with a change that a page of ours asks for. */
export const OWN_PAGE: Headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }

let passwordHash: Promise<string> | undefined
let people = 0

/** Adds a person to an org, with a session: past the sign-in page, which tests of their own are about. */
export async function signedIn(kith: Kith, org: { id: string }, person: Person = {}): Promise<Ui> {
  passwordHash ??= hashPassword(PASSWORD)
  const hash = await passwordHash
  const { role = 'member', name = 'Pat Tester', email = `person${++people}.${process.pid}@example.com` } = person
  const { member, session } = await kith.db.write(async (tx) => {
    const member = await createMember(tx, org.id, { email, name, role }, hash)
    return { member, session: await startSession(tx, { orgId: org.id, memberId: member.id }, 'Test') }
  })
  const cookie = `kith=${session.secret}`
  return {
    ...underUi(kith.client.with({ ...OWN_PAGE, cookie })),
    member,
    sessionId: session.id,
    cookie,
    password: PASSWORD,
  }
}

/** A client of `/ui`; its GETs send no content type, as a browser's do not. */
export function underUi(client: Client): Client {
  const at = (path: string) => `/ui${path}`
  const reading = { 'content-type': '' }
  return {
    send: (method, path, body, headers) => client.send(method, at(path), body, headers),
    get: (path, headers) => client.get(at(path), { ...reading, ...headers }),
    head: (path, headers) => client.head(at(path), { ...reading, ...headers }),
    post: (path, body, headers) => client.post(at(path), body, headers),
    patch: (path, body, headers) => client.patch(at(path), body, headers),
    delete: (path, headers) => client.delete(at(path), headers),
    with: (headers) => underUi(client.with(headers)),
  }
}
