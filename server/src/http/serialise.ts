import type { TSchema } from 'typebox'

type Pick = (value: unknown) => unknown

interface Shape {
  type?: string | string[]
  properties?: Record<string, TSchema>
  items?: TSchema
}

/**
 * Compiles a schema to the writer of an answer: JSON with the fields that the schema names and no others.
 */
export function compileSerialiser(schema: TSchema): (value: unknown) => string {
  const pick = compilePick(schema)
  return (value) => JSON.stringify(pick(value))
}

function compilePick(schema: TSchema): Pick {
  const { type, properties, items } = schema as Shape
  if (type === 'object' && properties) return pickFields(properties)
  if (type === 'array' && items) {
    const pick = compilePick(items)
    return pick === asIs ? asIs : (list) => (list as unknown[]).map(pick)
  }
  return asIs
}

function pickFields(properties: Record<string, TSchema>): Pick {
  const fields = Object.entries(properties).map(([name, schema]) => ({ name, pick: compilePick(schema) }))
  const isFlat = fields.every(({ pick }) => pick === asIs)
  return (value) => {
    const from = value as Record<string, unknown>
    if (isFlat && hasFields(from, fields)) return from
    const picked: Record<string, unknown> = {}
    for (const { name, pick } of fields) picked[name] = pick(from[name])
    return picked
  }
}

/** Whether these are its fields, in this order: what the stores read is, and need not be copied. */
function hasFields(value: Record<string, unknown>, fields: { name: string }[]): boolean {
  const names = Object.keys(value)
  if (names.length !== fields.length) return false
  for (let i = 0; i < names.length; i++) if (names[i] !== fields[i]!.name) return false
  return true
}

function asIs(value: unknown): unknown {
  return value
}
