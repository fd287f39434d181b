/** Reads the plans of queries: whether an index leads to the rows, or more of them are looked at. */
import { CompiledQuery, type DatabaseConnection, Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Tx } from '../../server/src/database/engine.ts'
import type { StoreOptions } from '../../server/src/database/open.ts'
import type { HotQuery } from '../../server/src/database/postgres-batch.ts'
import type { Tables } from '../../server/src/database/schema.ts'
import { SqliteConnection } from '../../server/src/database/sqlite-connection.ts'
import { sqliteDialect } from '../../server/src/database/sqlite-dialect.ts'
import { openSqlite } from '../../server/src/database/sqlite-open.ts'

export type Query = (tx: Tx) => Promise<unknown>

export interface Allowed {
  /** So many rows may be gone through in one step of a plan. */
  rowsMax: number
  /** Whether that may be all of an org's, in the order of an index. */
  isWholeOrg?: boolean
  /** Whether they may be sorted then, being few: SQLite's plans tell no numbers. */
  isSorted?: boolean
}

/** A database whose plans are read. */
export interface Explained {
  /** Where the statements of a query do more than is allowed. What it changes is rolled back. */
  faultsOf(query: Query, allowed: Allowed): Promise<string[]>
  close(): void | Promise<void>
}

/** @param store of a database that is filled and stays as it is */
export function openExplained(store: StoreOptions): Promise<Explained> | Explained {
  return store.engine === 'sqlite' ? explainedSqlite(store.folder) : explainedPostgres(store.url)
}

/** SQLite tells its plan, not what it looked at: every table is entered by an index, and nothing of its is sorted. */
function explainedSqlite(folder: string): Explained {
  const connection = new SqliteConnection(openSqlite(`${folder}/kith.db`))
  const statements: CompiledQuery[] = []
  const listening: DatabaseConnection = {
    executeQuery: (query) => {
      statements.push(query)
      return connection.executeQuery(query)
    },
    streamQuery: (query, rows) => connection.streamQuery(query, rows),
  }
  const db = new Kysely<Tables>({ dialect: sqliteDialect(listening) })
  return {
    async faultsOf(query, { isWholeOrg, isSorted }) {
      statements.length = 0
      connection.run('begin')
      try {
        await query(db as Tx)
        return statements.flatMap((statement) => {
          const { rows } = connection.run(`explain query plan ${statement.sql}`, statement.parameters)
          const plan = rows.map(({ detail }) => String(detail))
          return plan
            .filter(
              (line) => isUnled(line) || (!isSorted && isSort(line, plan)) || (!isWholeOrg && WHOLE_ORG.test(line)),
            )
            .map((line) => `${line}, in: ${statement.sql} [${plan.join('; ')}]`)
        })
      } finally {
        connection.run('rollback')
      }
    },
    close: () => connection.close(),
  }
}

/** What is gone through whole: rows that were handed over or found before, full-text matches, a partial index. */
const PASSING =
  /^SCAN (active|json_each|\d+-ROW VALUES CLAUSE|(\d+ )?CONSTANT ROWS?|head|busy|hits|page|part|due|found|strip|k$|\(subquery-\d+\)|s VIRTUAL TABLE INDEX \d+:M1><$|delivery USING INDEX delivery_queue|import_job USING INDEX import_job_with_\w+)/

/**
 * Nothing but the org is looked up, in a table that has many rows of one. What imports have changed is left out: SQLite
 * finds it by the key of its table, whatever index there is that begins with the org.
 */
const WHOLE_ORG =
  /^SEARCH (?!(contact_count|task_count|n|subscription|s|l|rate_\w+|w|import_change) )\S+ .*\((org_id|<expr>)=\?\)/

/** No index leads to its rows, or one that is made for it. */
function isUnled(line: string): boolean {
  return line.startsWith('SCAN ') ? !PASSING.test(line) : line.includes('AUTOMATIC')
}

/** Rows that were found before, the keys of a batch, and rows of one millisecond may be. */
function isSort(line: string, plan: string[]): boolean {
  return (
    /^USE TEMP B-TREE FOR (ORDER|GROUP) BY$/.test(line) &&
    !plan.some((other) => /^(SCAN (hits|page|strip|json_each|s VIRTUAL)|LIST SUBQUERY)/.test(other))
  )
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

/** PostgreSQL counts the rows that each part of a plan looked at. */
async function explainedPostgres(url: string): Promise<Explained> {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  const statements: HotQuery[] = []
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void statements.push(query),
  })
  const rolledBack = async (work: (tx: Tx) => Promise<unknown>) => {
    const tx = await db.startTransaction().execute()
    try {
      await work(tx)
    } finally {
      await tx.rollback().execute()
    }
  }
  return {
    async faultsOf(query, { rowsMax, isWholeOrg }) {
      statements.length = 0
      await rolledBack(query)
      const found: string[] = []
      await rolledBack(async (tx) => {
        // The large org has most of the rows: reading all rows in a row is the quickest way to most of its own.
        if (isWholeOrg) await sql`set local enable_seqscan = off`.execute(tx)
        for (const { sql: text, parameters, name } of statements.filter((statement) =>
          /^\s*(select|with|update|insert|delete)/.test(statement.sql),
        )) {
          const plans = name === undefined ? [] : [await generalPlan(tx, { sql: text, parameters })]
          const explain = CompiledQuery.raw(`explain (analyze, format json) ${text}`, [...parameters])
          plans.push(await tx.executeQuery<Explanation>(explain))
          for (const node of plans.flatMap(({ rows }) => nodesOf(rows[0]!['QUERY PLAN'][0].Plan))) {
            if (rowsLookedAt(node) <= rowsMax) continue
            const where = `${node['Node Type']} on ${node['Relation Name'] ?? '-'} ${node['Index Name'] ?? ''}`
            found.push(`${where}: ${rowsLookedAt(node)} rows, in: ${text}`)
          }
        }
      })
      return found
    },
    close: () => pool.end(),
  }
}

interface Explanation {
  'QUERY PLAN': [{ Plan: PlanNode }]
}

/** How PostgreSQL runs a statement that it keeps, when it has stopped looking at each time's values. Changes nothing. */
async function generalPlan(tx: Tx, { sql: text, parameters }: { sql: string; parameters: readonly unknown[] }) {
  const values = parameters.map((value) =>
    value === null
      ? 'null'
      : Buffer.isBuffer(value)
        ? `'\\x${value.toString('hex')}'`
        : pg.escapeLiteral(String(value)),
  )
  const run = <Row>(statement: string) => tx.executeQuery<Row>(CompiledQuery.raw(statement))
  await run('savepoint before')
  await run('set local plan_cache_mode = force_generic_plan')
  await run(`prepare hot as ${text}`)
  try {
    return await run<Explanation>(`explain (analyze, format json) execute hot${values.length > 0 ? `(${values})` : ''}`)
  } finally {
    await run('rollback to before')
    await run('deallocate hot')
  }
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

function rowsLookedAt(node: PlanNode): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return (node['Actual Rows'] + removed) * node['Actual Loops']
}
