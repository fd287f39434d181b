import { type Static, Type } from 'typebox'
import { nullable } from '../http/fields.ts'

export const MapAnswer = Type.Object(
  {
    style_url: nullable(
      Type.String({
        description: 'Where the background of the map is: a style, or a PMTiles file; null for the built-in world.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type MapAnswer = Static<typeof MapAnswer>
