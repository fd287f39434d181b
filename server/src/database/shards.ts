import { sql } from 'kysely'
import { isPostgres, type Reader } from './engine.ts'

const SHARDS = 16

/**
 * Which part of a counter this transaction counts on: on PostgreSQL the writers of one org would otherwise wait for
 * one row until each has committed. A counter's value is the sum over its parts.
 */
export function shardOf(db: Reader) {
  return isPostgres(db) ? sql<number>`(pg_backend_pid() % ${sql.lit(SHARDS)})` : 0
}
