import type { FastifyInstance } from 'fastify'
import { MapAnswer } from './map-schema.ts'

/** @param styleUrl of the map's background; null for the one that the web app brings along */
export function mapUiRoutes(styleUrl: string | null) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get('/map', { schema: { response: { 200: MapAnswer } }, config: { access: 'member' } }, async () => ({
      style_url: styleUrl,
    }))
  }
}
