import type { FastifyRequest } from 'fastify'

/**
 * Where whoever asks reaches this server, for a link that they are to hand on. What the request says of itself counts
 * only where no address is configured.
 *
 * @see security H5
 */
export function ownOrigin({ protocol, headers }: FastifyRequest, baseUrl: string | null): string {
  return baseUrl ?? `${protocol}://${headers.host}`
}
