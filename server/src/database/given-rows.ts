import { type CompiledQuery, type RawBuilder, type SqlBool, sql } from 'kysely'
import { isPostgres, type Reader } from './engine.ts'
import type { Tables } from './schema.ts'

type ColumnType = 'uuid' | 'text' | 'integer' | 'float8' | 'timestamptz'

/** The columns of given rows, with their types in PostgreSQL. */
type Columns<Row> = { readonly [K in keyof Row]?: ColumnType }

/**
 * Rows handed to a statement as a table named `given`. They are one parameter, so the statement's text, and with it the
 * prepared statement, is the same for any number of them.
 *
 * @param columns the columns of the rows that the table has
 */
export function givenRows<Row extends object>(
  db: Reader,
  rows: readonly Row[],
  columns: Columns<Row>,
): RawBuilder<unknown> {
  const json = JSON.stringify(rows)
  if (isPostgres(db)) return recordset(json, columns)
  const fields = Object.keys(columns).map((name) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`)
  return sql`(select ${sql.join(fields)} from json_each(${json})) as given`
}

function recordset<Row>(json: string, columns: Columns<Row>): RawBuilder<unknown> {
  const typed = Object.entries(columns).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type as ColumnType)}`)
  return sql`json_to_recordset(cast(${json} as json)) as given (${sql.join(typed)})`
}

/** A larger statement takes no less for a row; a smaller one does, when it changes an index in many places. */
const BOUND_ROWS_MAX = 512

/**
 * A statement over many rows, for what is done so often that it shows: it is built once, and SQLite has the rows as
 * values, of which it takes 6 µs to insert 13 columns, and 26 to read them out of JSON before. There a call is several
 * statements, each over a power of two of rows, so that few texts serve any number of them: the order in which the rows
 * are met, and their being met at once, must not matter.
 *
 * @param columns the columns of the rows that the table `given` has
 * @param build the statement, which has no other parameters
 * @returns a function from handle and rows to what the statement returns
 */
export function overRows<Given extends object>() {
  return <Row>(columns: Columns<Given>, build: (db: Reader, given: RawBuilder<unknown>) => RawBuilder<Row>) => {
    const names = Object.keys(columns) as (keyof Given)[]
    let overJson: CompiledQuery | undefined
    const overValues = new Map<number, CompiledQuery>()

    return async (db: Reader, rows: readonly Given[]): Promise<Row[]> => {
      if (rows.length === 0) return []
      if (isPostgres(db)) {
        overJson ??= build(db, recordset('', columns)).compile(db)
        return (await db.executeQuery<Row>({ ...overJson, parameters: [JSON.stringify(rows)] } as CompiledQuery<Row>))
          .rows
      }
      const met: Row[] = []
      for (let at = 0; at < rows.length; ) {
        const count = Math.min(BOUND_ROWS_MAX, 2 ** Math.floor(Math.log2(rows.length - at)))
        const parameters = valuesOf(rows.slice(at, at + count))
        met.push(...(await db.executeQuery<Row>({ ...queryOver(db, count), parameters } as CompiledQuery<Row>)).rows)
        at += count
      }
      return met
    }

    function queryOver(db: Reader, count: number): CompiledQuery {
      const query = overValues.get(count) ?? build(db, valuesTable(names, count)).compile(db)
      overValues.set(count, query)
      return query
    }

    function valuesOf(rows: readonly Given[]): unknown[] {
      const values: unknown[] = []
      for (const row of rows) for (const name of names) values.push(row[name] ?? null)
      return values
    }
  }
}

/** Its values are the parameters, row by row. */
function valuesTable(names: readonly PropertyKey[], count: number): RawBuilder<unknown> {
  const fields = names.map((name, i) => sql`${sql.raw(`column${i + 1}`)} as ${sql.ref(String(name))}`)
  const row = `(${names.map(() => '?')})`
  return sql`(select ${sql.join(fields)} from (values ${sql.raw(Array(count).fill(row).join())})) as given`
}

/**
 * Joins the rows of a table that meet a condition on the rows before it in the statement, looked up for each of those:
 * left to themselves the engines would rather go through all rows of an org.
 */
export function lookedUp(
  db: Reader,
  table: keyof Tables,
  alias: string,
  condition: RawBuilder<SqlBool>,
): RawBuilder<unknown> {
  const source = sql`${sql.table(table)} as ${sql.ref(alias)}`
  if (!isPostgres(db)) return sql`cross join ${source} on ${condition}`
  return sql`cross join lateral (select * from ${source} where ${condition} offset 0) as ${sql.ref(alias)}`
}
