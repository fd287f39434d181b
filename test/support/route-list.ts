/** The routes that a door registers, read off the door itself. */
import Fastify, { type FastifyInstance } from 'fastify'
import { uiDoor } from '../../server/src/doors/ui.ts'

export interface Route {
  /** `GET /contacts/:id`: without the door's prefix. */
  name: string
  method: string
  path: string
  /** Who may call it; an API route at this door is for every member. */
  access: 'anyone' | 'member' | 'admin'
  takesUpload: boolean
  hasSchema: boolean
}

/** All routes of `/ui`, but for HEAD, which is there wherever GET is. */
export async function uiRoutes(): Promise<Route[]> {
  const found: Route[] = []
  const app = Fastify()
  for (const name of ['actor', 'tokenId', 'member', 'bodyBytes']) app.decorateRequest(name)
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => String)
  app.addHook('onRoute', ({ method, url, config, schema }) => {
    for (const one of [method].flat()) {
      if (one === 'HEAD') continue
      const { access = 'member', upload: takesUpload = false } = config ?? {}
      const hasSchema = schema !== undefined && (!url.includes(':') || schema.params !== undefined)
      found.push({ name: `${one} ${url}`, method: one, path: url, access, takesUpload, hasSchema })
    }
  })
  await app.register(uiDoor(anything as Parameters<typeof uiDoor>[0]) as (app: FastifyInstance) => Promise<void>)
  await app.ready()
  await app.close()
  return found
}

/** Stands in for all that the routes would work with: registering them uses nothing of it. */
const anything: unknown = new Proxy(() => {}, { get: (_, key) => (key === 'then' ? undefined : anything) })
