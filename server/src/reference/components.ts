import type { TSchema } from 'typebox'

/** A part of an OpenAPI document. */
export type Part = { [key: string]: unknown }

/** A schema says what may come in or what goes out: see `Components.schema`. */
export type Direction = 'in' | 'out'

/** What the operations of a document share: each is described once, under its name, and referred to from there on. */
export class Components {
  readonly schemas: Part = {}
  readonly parameters: Part = {}
  readonly headers: Part = {}
  readonly responses: Part = {}

  /**
   * Describes a schema, and each with an `$id` inside it as a component of that name.
   *
   * What may come in is told without the fields that only the server sets, since those are refused. What goes out is
   * told as open: fields may be added within a version of the API.
   */
  schema(schema: TSchema, direction: Direction): Part {
    const { $id, ...rest } = schema as TSchema & { $id?: string }
    if ($id === undefined) return this.#described(rest, direction)
    if (!(($id as string) in this.schemas)) {
      this.schemas[$id] = null // Holds its place, so that components stand in the order in which they are met.
      this.schemas[$id] = this.#described(rest, direction)
    }
    return { $ref: `#/components/schemas/${$id}` }
  }

  /** Shares a part under its name. */
  share(kind: 'parameters' | 'headers' | 'responses', name: string, part: Part): Part {
    this[kind][name] ??= part
    return { $ref: `#/components/${kind}/${name}` }
  }

  #described(schema: Shape, direction: Direction): Part {
    const { properties, items, additionalProperties, required, ...rest } = schema
    const part: Part = { ...rest }
    if (items) part.items = this.schema(items, direction)
    if (!properties) return part
    const told = Object.entries(properties).filter(([, field]) => direction === 'out' || !isServerSet(field))
    part.properties = Object.fromEntries(told.map(([name, field]) => [name, this.schema(field, direction)]))
    if (required && required.length > 0) part.required = required
    if (direction === 'in' && additionalProperties === false) part.additionalProperties = false
    return part
  }
}

interface Shape {
  properties?: Record<string, TSchema>
  items?: TSchema
  additionalProperties?: unknown
  required?: string[]
}

function isServerSet(schema: TSchema): boolean {
  return (schema as { readOnly?: boolean }).readOnly === true
}
