import { hash } from 'node:crypto'
import type { Compilable, CompiledQuery } from 'kysely'
import { isPostgres } from './engine.ts'
import type { HotQuery } from './postgres-batch.ts'
import { type Links, TogetherAdapter } from './postgres-dialect.ts'
import type { Reader, Tx } from './schema.ts'
import type { ImmediateConnection } from './sqlite-connection.ts'
import { UnlockedAdapter } from './sqlite-dialect.ts'

/** So much of a hash tells texts apart; PostgreSQL looks at 63 characters of a name. */
const NAME_LENGTH = 32

class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

interface Template {
  query: HotQuery
  names: (string | undefined)[]
}

/** Of one query. There are more where a caller chooses which of many values to give. */
const VARIANTS_MAX = 200

/** Stands for the value of that name. */
export type Parameter<Values> = <K extends keyof Values>(name: K) => Values[K]

/** Whether the value of that name is given. */
export type IsGiven<Values> = (name: keyof Values) => boolean

/** A query that is there already. */
export type Compiled<Values, Row> = (db: Reader, values: Values) => Promise<Row[]>

/**
 * A query that Kysely builds once for each engine. Building costs 5–30 µs, more than SQLite takes to answer most of
 * them; use it for what every request runs.
 *
 * @param optional values that may be undefined: it is built once for each combination of those that are given
 * @param build the query, with `p('name')` wherever a value goes
 * @returns a function from handle and values to the rows
 */
export function compiled<Values extends object>(...optional: (keyof Values & string)[]) {
  return <Row>(build: Build<Values, Row>): Compiled<Values, Row> => runnerOf(build, { optional, isSent: false })
}

/**
 * The same for a change whose result nobody wants. On PostgreSQL nobody waits for it either: it goes with the next query
 * of its transaction, which fails with its error, or before the commit, which does.
 */
export function compiledChange<Values extends object>(...optional: (keyof Values & string)[]) {
  return <Row>(build: Build<Values, Row>) => {
    const run = runnerOf(build, { optional, isSent: true })
    return async (tx: Tx, values: Values): Promise<void> => {
      await run(tx, values)
    }
  }
}

type Build<Values, Row> = (db: Reader, p: Parameter<Values>, isGiven: IsGiven<Values>) => Compilable<Row>

function runnerOf<Values extends object, Row>(
  build: Build<Values, Row>,
  { optional, isSent }: { optional: (keyof Values & string)[]; isSent: boolean },
): Compiled<Values, Row> {
  const templates = new Map<string, Template>()
  return async (db, values) => {
    let variant = isPostgres(db) ? 'postgres' : 'sqlite'
    for (const name of optional) if (values[name] !== undefined) variant += ` ${name}`
    const known = templates.get(variant)
    const built = () => hotQuery(build(db, placeholder, (name) => values[name] !== undefined).compile(), { isSent })
    const { query, names } = known ?? template(built())
    if (!known) {
      if (templates.size >= VARIANTS_MAX) templates.clear()
      templates.set(variant, { query, names })
    }
    const parameters = query.parameters.map((fixed, i) =>
      names[i] === undefined ? fixed : (values as Record<string, unknown>)[names[i]],
    )
    // Kysely's way to a connection and back costs as much as SQLite's answer. A transaction goes it all the same:
    // there it notices who uses one that has ended.
    const immediate = immediateOf(db)
    if (immediate) return immediate.rowsOf(query.sql, parameters) as Row[]
    const hot: HotQuery = { ...query, parameters }
    const links = linksOf(db)
    return links ? links.ask<Row>(hot) : (await db.executeQuery(hot as CompiledQuery<Row>)).rows
  }
}

/** Whether compiled queries that are begun one after the other, none awaited before the next, see the same moment. */
export function answersAtOnce(db: Reader): boolean {
  return immediateOf(db) !== undefined
}

function placeholder(name: unknown): never {
  return new Placeholder(name as string) as never
}

function immediateOf(db: Reader): ImmediateConnection | undefined {
  if (db.isTransaction) return undefined
  const { adapter } = db.getExecutor()
  return adapter instanceof UnlockedAdapter ? adapter.immediate : undefined
}

function linksOf(db: Reader): Links | undefined {
  if (db.isTransaction) return undefined
  const { adapter } = db.getExecutor()
  return adapter instanceof TogetherAdapter ? adapter.links : undefined
}

function template(query: HotQuery): Template {
  return { query, names: query.parameters.map((value) => (value instanceof Placeholder ? value.name : undefined)) }
}

/** @param isSent whether nobody wants its result */
export function hotQuery(query: CompiledQuery, { isSent }: { isSent: boolean }): HotQuery {
  return { ...query, name: `kith ${hash('sha256', query.sql).slice(0, NAME_LENGTH)}`, isSent }
}
