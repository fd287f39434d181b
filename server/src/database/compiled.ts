import type { Compilable, CompiledQuery } from 'kysely'
import { isPostgres } from './engine.ts'
import type { Reader } from './schema.ts'
import type { ImmediateConnection } from './sqlite-connection.ts'
import { UnlockedAdapter } from './sqlite-dialect.ts'

class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

interface Template {
  query: CompiledQuery
  names: (string | undefined)[]
}

/**
 * A query that Kysely builds once for each engine. Building costs 5–12 µs, more than SQLite takes to answer most of
 * them; use it for what every request runs.
 *
 * @param build the query, with `p('name')` wherever a value goes
 * @returns a function from handle and values to the rows
 */
export function compiled<Values extends object>() {
  return <Row>(build: (db: Reader, p: <K extends keyof Values>(name: K) => Values[K]) => Compilable<Row>) => {
    const templates: { postgres?: Template; sqlite?: Template } = {}
    return async (db: Reader, values: Values): Promise<Row[]> => {
      const engine = isPostgres(db) ? 'postgres' : 'sqlite'
      templates[engine] ??= template(build(db, (name) => new Placeholder(name as string) as never).compile())
      const { query, names } = templates[engine]
      const parameters = query.parameters.map((fixed, i) =>
        names[i] === undefined ? fixed : (values as Record<string, unknown>)[names[i]],
      )
      // Kysely's way to a connection and back costs as much as SQLite's answer. A transaction goes it all the same:
      // there it notices who uses one that has ended.
      const immediate = db.isTransaction ? undefined : immediateOf(db)
      if (immediate) return immediate.rowsOf(query.sql, parameters) as Row[]
      return (await db.executeQuery<Row>({ ...query, parameters } as CompiledQuery<Row>)).rows
    }
  }
}

function immediateOf(db: Reader): ImmediateConnection | undefined {
  const { adapter } = db.getExecutor()
  return adapter instanceof UnlockedAdapter ? adapter.immediate : undefined
}

function template(query: CompiledQuery): Template {
  return { query, names: query.parameters.map((value) => (value instanceof Placeholder ? value.name : undefined)) }
}
