import type { FastifyInstance } from 'fastify'
import type { TObject, TSchema } from 'typebox'

/** One method of one path, as its route describes it. */
export interface Operation {
  method: string
  /** As in an OpenAPI document: `/api/v1/contacts/{id}`. */
  path: string
  scope: 'read' | 'write'
  operationId: string
  summary: string
  description?: string
  tags: string[]
  params?: TObject
  querystring?: TObject
  body?: TSchema
  /** The answer of the one status that is no error. */
  response: Record<string, TSchema>
}

/**
 * Notes the operations of an API while their routes are registered, so it is called before they are.
 *
 * @param prefix of the API's paths: other routes are left out, and so is HEAD, which is there wherever GET is
 * @returns a list that fills up
 * @throws TypeError out of the registration of a route that does not describe itself
 */
export function noteOperations(app: FastifyInstance, prefix: string): Operation[] {
  const operations: Operation[] = []
  app.addHook('onRoute', ({ method, url, schema, config }) => {
    if (method === 'HEAD' || !url.startsWith(`${prefix}/`)) return
    const described = (schema ?? {}) as Partial<Operation>
    const { operationId, summary, tags, response } = described
    if (typeof method !== 'string' || !operationId || !summary || !tags || !response || !config?.scope) {
      throw new TypeError(`${method} ${url} needs one method, a scope, and operationId, summary, tags and response.`)
    }
    const path = url.replaceAll(/:(\w+)/g, '{$1}')
    operations.push({ ...described, operationId, summary, tags, response, method, path, scope: config.scope })
  })
  return operations
}
