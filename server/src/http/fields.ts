/** Words for schemas that TypeBox has not, in the form that reads best in OpenAPI 3.1. */

import { type Static, type TOptional, type TProperties, type TSchema, type TUnsafe, Type } from 'typebox'

/** What a nullable field holds: a list has no null of its own, there null means the empty list. */
type Nullable<T> = T extends readonly unknown[] ? T : T | null

/**
 * A field that may be null, written as `type: ['string', 'null']`.
 *
 * For a list, null is taken and read as `[]`.
 */
export function nullable<S extends TSchema>(schema: S): TUnsafe<Nullable<Static<S>>> {
  const { type, enum: values, ...rest } = schema as TSchema & { type?: string; enum?: unknown[] }
  if (typeof type !== 'string') throw new TypeError('nullable() takes a schema with one type')
  return Type.Unsafe({ type: [type, 'null'], ...(values && { enum: [...values, null] }), ...rest })
}

/** A field of an input that only the server sets: `not_allowed` when it is sent. */
export function serverSet<S extends TSchema>(schema: S): TOptional<TUnsafe<undefined>> {
  return Type.Optional(Type.Unsafe<undefined>({ ...schema, readOnly: true }))
}

/** Fields of which none need be sent. TypeBox has `Partial`, which makes every page of the web app 10 KB larger. */
export function optional<F extends TProperties>(fields: F): { [K in keyof F]: TOptional<F[K]> } {
  const entries = Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)])
  return Object.fromEntries(entries)
}
