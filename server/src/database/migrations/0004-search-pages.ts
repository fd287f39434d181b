/**
 * SQLite's table for searching grows by merges of what it has written: each time it has written 64 of its pages, it
 * merges as many on each level, in the transaction that is under way. With pages of 4,050 bytes, as it makes them by
 * itself, that held the event loop for 20 to 38 ms; with these it is 12, as often as it has to be. Frequent terms take
 * up to 9 % longer to be found, others as long.
 */
import type { Migration } from '../migrate.ts'

export const searchPages: Migration = {
  version: 4,
  name: 'search-pages',
  sqlite: [`insert into contact_search (contact_search, rank) values ('pgsz', 1000)`],
  postgres: [],
}
