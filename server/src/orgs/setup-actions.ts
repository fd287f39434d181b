import type { Database, Reader } from '../database/engine.ts'
import { ApiError, validationError } from '../http/errors.ts'
import { createMember, hashPasswordOf } from '../members/actions.ts'
import { startSession } from '../sessions/actions.ts'
import { createOrg } from './actions.ts'
import { endSetupCode, setupCodeFault } from './setup-code.ts'
import type { SetUp } from './setup-schema.ts'
import { hasOrg } from './store.ts'

/** Whether this server waits to be set up: there is no org yet. */
export async function needsSetUp(db: Reader): Promise<boolean> {
  return !(await hasOrg(db))
}

/**
 * Makes the org of a fresh server with its first admin, and signs the admin in: all of it or nothing.
 *
 * @throws ApiError `forbidden` once there is an org; `too_many_tries` after ten wrong codes; `validation`
 * @see security P5
 */
export async function setUp(
  db: Database,
  { code, org, member }: SetUp,
  userAgent: string,
): Promise<{ orgId: string; memberId: string; secret: string }> {
  const fault = await db.write((tx) => setupCodeFault(tx, code))
  if (fault) throw fault
  const person = { email: member.email, orgName: org.name }
  const passwordHash = await at('member', () => hashPasswordOf(person, member.password))
  return db.write(async (tx) => {
    // Somebody else may have used the code while the password was hashed.
    const faultNow = await setupCodeFault(tx, code)
    if (faultNow) throw faultNow
    const { id: orgId } = await at('org', () => createOrg(tx, org))
    const { email, name } = member
    const { id: memberId } = await createMember(tx, orgId, { email, name, role: 'admin' }, passwordHash)
    await endSetupCode(tx)
    const { secret } = await startSession(tx, { orgId, memberId }, userAgent)
    return { orgId, memberId, secret }
  })
}

/** Runs a part of it, whose faults are then at that part's fields. */
async function at<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError) || !error.details) throw error
    throw validationError(error.details.map((detail) => ({ ...detail, path: `${path}/${detail.path}` })))
  }
}
