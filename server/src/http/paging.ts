/** What every list shares: `limit` and `offset` in, `{data, meta}` out. */
import { type TSchema, Type } from 'typebox'

export interface Page {
  limit: number
  offset: number
}

export interface Listed<Row> {
  rows: Row[]
  /** All that match, over all pages. */
  count: number
}

export const pageFields = {
  limit: Type.Integer({ description: 'How many records at most.', minimum: 1, maximum: 200, default: 50 }),
  offset: Type.Integer({ description: 'How many records to skip.', minimum: 0, maximum: 1e9, default: 0 }),
}

export const PageQuery = Type.Object(pageFields, { additionalProperties: false })

const Meta = Type.Object(
  {
    count: Type.Integer({ description: 'How many records match, over all pages.' }),
    limit: Type.Integer(),
    offset: Type.Integer(),
  },
  { $id: 'Meta', additionalProperties: false },
)

export function listOf<S extends TSchema>(item: S) {
  return Type.Object({ data: Type.Array(item), meta: Meta }, { additionalProperties: false })
}

/** The answer of a list. */
export function pageAnswer<Row>({ rows, count }: Listed<Row>, { limit, offset }: Page) {
  return { data: rows, meta: { count, limit, offset } }
}
