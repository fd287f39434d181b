/** Kysely's way to PostgreSQL. */
import {
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type TransactionSettings,
} from 'kysely'
import type { HotQuery } from './postgres-batch.ts'
import type { PostgresLink } from './postgres-link.ts'

/** The connections that it takes. */
export interface Links {
  connect(): Promise<PostgresLink>
  /** Asks on a connection that others ask on too. */
  ask<Row>(query: HotQuery): Promise<Row[]>
}

/** @param isQuick compiled queries outside a transaction go together with others */
export function postgresDialect(links: Links, { isQuick }: { isQuick: boolean }): Dialect {
  return {
    createAdapter: () => new TogetherAdapter(isQuick ? links : undefined),
    createDriver: () => new LinkDriver(links),
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

export class TogetherAdapter extends PostgresAdapter {
  /** Where compiled queries may go together with others; undefined where each waits for a connection. */
  readonly links: Links | undefined

  constructor(links: Links | undefined) {
    super()
    this.links = links
  }
}

class LinkDriver implements Driver {
  readonly #links: Links

  constructor(links: Links) {
    this.#links = links
  }

  async init(): Promise<void> {}

  acquireConnection(): Promise<PostgresLink> {
    return this.#links.connect()
  }

  async beginTransaction(link: PostgresLink, { isolationLevel, accessMode }: TransactionSettings): Promise<void> {
    const isolation = isolationLevel ? ` isolation level ${isolationLevel}` : ''
    link.begin(`start transaction${isolation}${accessMode ? ` ${accessMode}` : ''}`)
  }

  commitTransaction(link: PostgresLink): Promise<void> {
    return link.commit()
  }

  rollbackTransaction(link: PostgresLink): Promise<void> {
    return link.rollback()
  }

  async releaseConnection(link: PostgresLink): Promise<void> {
    link.release()
  }

  async destroy(): Promise<void> {}
}
