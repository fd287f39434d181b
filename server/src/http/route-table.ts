import type { FastifyRequest, RouteOptions } from 'fastify'
import { ApiError } from './errors.ts'

/** The paths of a door with their methods, to tell a wrong method from an unknown path. */
export class RouteTable {
  readonly #methods = new Map<string, Set<string>>()

  add({ url, method }: RouteOptions): void {
    const methods = this.#methods.get(url) ?? new Set()
    for (const one of [method].flat()) methods.add(one)
    this.#methods.set(url, methods)
  }

  /** @throws ApiError `method_not_allowed` for a known path, else `not_found` */
  refuse(request: FastifyRequest): never {
    const path = request.url.split('?', 1)[0]!
    const methods = this.#methodsOf(path)
    if (!methods) throw new ApiError('not_found', 'There is nothing at this path.')
    const allow = [...methods].sort().join(', ')
    throw new ApiError('method_not_allowed', `This path takes ${allow}.`, { headers: { allow } })
  }

  #methodsOf(path: string): Set<string> | undefined {
    const parts = path.split('/')
    const found = [...this.#methods].find(([pattern]) => matches(pattern.split('/'), parts))
    return found?.[1]
  }
}

function matches(pattern: string[], parts: string[]): boolean {
  return (
    pattern.length === parts.length &&
    pattern.every((part, at) => (part.startsWith(':') ? parts[at] !== '' : part === parts[at]))
  )
}
