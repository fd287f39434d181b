/** Sets of places that the operator has loaded, and their places. */
import { sql } from 'kysely'
import { isPostgres, type Reader, type Tx } from '../database/engine.ts'
import { givenRows } from '../database/given-rows.ts'
import type { PlaceSetTable } from '../database/schema.ts'
import { GIVEN_COLUMNS, givenPlace, PLACE_COLUMNS, placeOfRow, SOURCE_COLUMNS } from './place-columns.ts'
import type { Place } from './schema.ts'

export type PlaceSet = Omit<PlaceSetTable, 'number'> & { number: number }

const COLUMNS_OF_SET = ['number', 'state', ...SOURCE_COLUMNS, 'loaded_at', 'touched_at'] as const

/** All that can be searched, by name. */
export function liveSets(db: Reader): Promise<PlaceSet[]> {
  return db.selectFrom('place_set').select(COLUMNS_OF_SET).where('state', '=', 'live').orderBy('name').execute()
}

export function liveSetById(db: Reader, id: string): Promise<PlaceSet | undefined> {
  return liveSet(db, 'id', id)
}

export function liveSetByName(db: Reader, name: string): Promise<PlaceSet | undefined> {
  return liveSet(db, 'name', name)
}

function liveSet(db: Reader, column: 'id' | 'name', value: string): Promise<PlaceSet | undefined> {
  const query = db.selectFrom('place_set').select(COLUMNS_OF_SET).where('state', '=', 'live')
  return query.where(column, '=', value).executeTakeFirst()
}

/** Until the transaction ends, no other one changes a set: of two at once, one of a name goes live after the other. */
export async function lockSets(tx: Tx): Promise<void> {
  if (isPostgres(tx)) await sql`lock table place_set in share row exclusive mode`.execute(tx)
}

/** @returns its number */
export async function insertSet(tx: Tx, set: Omit<PlaceSetTable, 'number'>): Promise<number> {
  const { number } = await tx.insertInto('place_set').values(set).returning('number').executeTakeFirstOrThrow()
  return number
}

/** @returns whether the set was in this state, which it then was locked in */
export async function updateSet(
  tx: Tx,
  { number, state }: Pick<PlaceSet, 'number' | 'state'>,
  change: Partial<Omit<PlaceSet, 'number'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('place_set')
    .set(change)
    .where('number', '=', number)
    .where('state', '=', state)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** @returns how many of them were not in the set yet */
export async function insertPlaces(tx: Tx, setNumber: number, places: readonly Place[]): Promise<number> {
  const columns = sql.join(Object.keys(GIVEN_COLUMNS).map((name) => sql.ref(name)))
  const { numAffectedRows } = await sql`insert into place (set_number, ${columns})
    select cast(${setNumber} as integer), ${columns} from ${givenRows(tx, places.map(givenPlace), GIVEN_COLUMNS)}
    where true on conflict do nothing`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

export async function placesOfSet(db: Reader, setNumber: number, sourceIds: readonly string[]): Promise<Place[]> {
  const rows = await db
    .selectFrom('place')
    .select(PLACE_COLUMNS)
    .where('set_number', '=', setNumber)
    .where('source_id', 'in', sourceIds)
    .execute()
  return rows.map(placeOfRow)
}

/** Those that are to be erased: retired, or not whole and not gone on with since `touchedBefore`. */
export function deadSets(db: Reader, touchedBefore: string): Promise<Pick<PlaceSet, 'number' | 'state'>[]> {
  return db
    .selectFrom('place_set')
    .select(['number', 'state'])
    .where(({ and, or, eb }) =>
      or([eb('state', '=', 'gone'), and([eb('state', '=', 'loading'), eb('touched_at', '<', touchedBefore)])]),
    )
    .orderBy('number')
    .execute()
}

/** @returns how many it was */
export async function deletePlaces(tx: Tx, setNumber: number, max: number): Promise<number> {
  const some = tx
    .selectFrom('place')
    .select('source_id')
    .where('set_number', '=', setNumber)
    .orderBy('source_id')
    .limit(max)
  const { numDeletedRows } = await tx
    .deleteFrom('place')
    .where('set_number', '=', setNumber)
    .where('source_id', 'in', some)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

export async function deleteSet(tx: Tx, number: number): Promise<void> {
  await tx.deleteFrom('place_set').where('number', '=', number).where('state', '=', 'gone').execute()
}
