import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { isPostgres, type Reader } from './engine.ts'
import type { Tables } from './schema.ts'

type ColumnType = 'uuid' | 'text' | 'integer' | 'float8' | 'timestamptz'

/**
 * Rows handed to a statement as a table named `given`. They are one parameter, so the statement's text, and with it the
 * prepared statement, is the same for any number of them.
 *
 * @param columns the columns of the rows that the table has, with their types in PostgreSQL
 */
export function givenRows<Row extends object>(
  db: Reader,
  rows: readonly Row[],
  columns: { readonly [K in keyof Row]?: ColumnType },
): RawBuilder<unknown> {
  const json = JSON.stringify(rows)
  const names = Object.entries(columns) as [string, ColumnType][]
  if (isPostgres(db)) {
    const typed = names.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`)
    return sql`json_to_recordset(cast(${json} as json)) as given (${sql.join(typed)})`
  }
  const fields = names.map(([name]) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`)
  return sql`(select ${sql.join(fields)} from json_each(${json})) as given`
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
