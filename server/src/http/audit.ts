import type { FastifyRequest } from 'fastify'
import type { Log } from '../log.ts'

/**
 * Logs what somebody did that an operator may have to account for: who, from where, under which request id.
 *
 * @param message what was done, as one sentence without anything of the request's body
 * @param about ids of what it was done to; else who is taken from the request
 * @see security L3
 */
export function audit(log: Log, request: FastifyRequest, message: string, about: Record<string, unknown> = {}): void {
  const who = request.actor && { orgId: request.actor.orgId, actor: request.actor.name }
  log.info({ req: request, requestId: request.id, ...who, ...about }, message)
}
