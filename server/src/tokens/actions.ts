import { hash } from 'node:crypto'
import type { Actor } from '../actor.ts'
import { now, toIso } from '../clock.ts'
import type { Reader, Tx } from '../database/engine.ts'
import { ApiError, type Detail, validationError } from '../http/errors.ts'
import { newId } from '../ids.ts'
import { announce } from '../live/announce.ts'
import { isUuid } from '../uuid.ts'
import { type ApiKey, type ListedToken, type NewToken, SCOPES, type Scope } from './schema.ts'
import { insertToken, keyRows, revokeTokenRow, tokenByHash, tokenRows } from './store.ts'
import { isTokenText, newTokenText, tokenPrefix } from './token-text.ts'

const NAME_MAX = 100

/** Whom a token stands for. */
export interface TokenHolder {
  tokenId: string
  orgId: string
  scopes: readonly Scope[]
  hourlyLimit: number
  lastUsedAt: string | null
}

export type Recognised = { holder: TokenHolder } | { refused: 'invalid' | 'revoked' }

/**
 * Makes a token. Its text is in this answer only: what is stored is its hash.
 *
 * @throws ApiError `validation`
 */
export async function createToken(tx: Tx, actor: Actor, input: NewToken) {
  const name = input.name.trim()
  const faults: Detail[] = []
  if (name === '') faults.push({ path: 'name', code: 'required', message: 'name is required.' })
  if ([...name].length > NAME_MAX) {
    faults.push({ path: 'name', code: 'too_long', message: `name must be at most ${NAME_MAX} characters.` })
  }
  if (input.scopes.length === 0) {
    faults.push({ path: 'scopes', code: 'required', message: 'scopes must be read, write or both.' })
  }
  if (faults.length > 0) throw validationError(faults)
  const token = newTokenText()
  const scopes = SCOPES.filter((scope) => input.scopes.includes(scope))
  const row = { id: newId(), name, prefix: tokenPrefix(token) }
  await insertToken(tx, {
    ...row,
    org_id: actor.orgId,
    hash: hashOf(token),
    scopes: scopes.join(','),
    created_at: toIso(now()),
    created_by: actor.name,
    last_used_at: null,
    revoked_at: null,
    revoked_by: null,
  })
  announce(tx, actor.orgId, 'token', row.id)
  return { ...row, scopes, token }
}

/** All tokens of an org, revoked ones included, oldest first. */
export async function listTokens(db: Reader, orgId: string): Promise<ListedToken[]> {
  return (await tokenRows(db, orgId)).map((row) => ({ ...row, scopes: row.scopes.split(',') as Scope[] }))
}

/** The same with who made and who revoked each, as people call them. */
export async function listApiKeys(db: Reader, orgId: string): Promise<ApiKey[]> {
  return (await keyRows(db, orgId)).map(({ creator, revoker, ...row }) => ({
    ...row,
    scopes: row.scopes.split(',') as Scope[],
    created_by: creator ?? strangerName(row.created_by),
    revoked_by: row.revoked_by && (revoker ?? strangerName(row.revoked_by)),
  }))
}

/** @param actor who is not among the org's members */
function strangerName(actor: string): string {
  return actor === 'command' ? 'The command line' : 'A former member'
}

/** Revokes a token, from the next request on. @throws ApiError `not_found` */
export async function revokeToken(tx: Tx, { orgId, name }: Actor, id: string): Promise<void> {
  const isThere = isUuid(id) && (await revokeTokenRow(tx, { orgId, id }, { at: toIso(now()), by: name }))
  if (!isThere) throw new ApiError('not_found', `The org has no token with the id ${id}.`)
  announce(tx, orgId, 'token', id)
}

/** Whom a token stands for. Nothing is cached: a revoked one is refused from the next request on, in every process. */
export async function recogniseToken(db: Reader, text: string): Promise<Recognised> {
  const [row] = isTokenText(text) ? await tokenByHash(db, { hash: hashOf(text) }) : []
  if (!row) return { refused: 'invalid' }
  if (row.revoked_at !== null) return { refused: 'revoked' }
  return {
    holder: {
      tokenId: row.id,
      orgId: row.org_id,
      scopes: row.scopes.split(',') as Scope[],
      hourlyLimit: row.hourly_limit,
      lastUsedAt: row.last_used_at,
    },
  }
}

function hashOf(token: string): string {
  return hash('sha256', token)
}
