import { type RawBuilder, sql } from 'kysely'
import { isPostgres, type Reader } from './engine.ts'

type ColumnType = 'uuid' | 'text' | 'integer' | 'timestamptz'

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
