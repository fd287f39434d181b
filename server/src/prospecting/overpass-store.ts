/** What an Overpass server has answered, for a day or two. */
import { sql } from 'kysely'
import type { Reader, Tx } from '../database/engine.ts'
import { givenRows } from '../database/given-rows.ts'
import type { Place } from './schema.ts'

export interface KeptAnswer {
  places: Place[]
  isCut: boolean
}

/** @returns undefined when it was not asked since */
export async function answerSince(db: Reader, key: string, since: string): Promise<KeptAnswer | undefined> {
  const row = await db
    .selectFrom('overpass_answer')
    .select(['source_ids', 'is_cut'])
    .where('key', '=', key)
    .where('answered_at', '>=', since)
    .executeTakeFirst()
  if (!row) return undefined
  return { places: await answeredPlaces(db, JSON.parse(row.source_ids)), isCut: row.is_cut === 1 }
}

export async function answeredPlaces(db: Reader, sourceIds: readonly string[]): Promise<Place[]> {
  if (sourceIds.length === 0) return []
  const rows = await db.selectFrom('overpass_place').select('place').where('source_id', 'in', sourceIds).execute()
  return rows.map(({ place }) => JSON.parse(place))
}

export async function keepAnswer(tx: Tx, key: string, { places, isCut }: KeptAnswer, at: string): Promise<void> {
  // In one order everywhere, so that two answers at once do not wait for each other.
  const sorted = places.toSorted((one, other) => (one.source_id < other.source_id ? -1 : 1))
  const rows = sorted.map((place) => ({ source_id: place.source_id, place: JSON.stringify(place), answered_at: at }))
  const types = { source_id: 'text', place: 'text', answered_at: 'timestamptz' } as const
  await sql`insert into overpass_place (source_id, place, answered_at)
    select source_id, place, answered_at from ${givenRows(tx, rows, types)} where true
    on conflict (source_id) do update set place = excluded.place, answered_at = excluded.answered_at`.execute(tx)
  const answer = {
    source_ids: JSON.stringify(places.map(({ source_id }) => source_id)),
    is_cut: isCut ? 1 : 0,
    answered_at: at,
  }
  await tx
    .insertInto('overpass_answer')
    .values({ key, ...answer })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(answer))
    .execute()
}

/** @returns how many were erased */
export async function deleteAnswers(tx: Tx, before: { answers: string; places: string }, max: number): Promise<number> {
  const answers = tx.selectFrom('overpass_answer').select('key').where('answered_at', '<', before.answers)
  const places = tx.selectFrom('overpass_place').select('source_id').where('answered_at', '<', before.places)
  const first = await tx.deleteFrom('overpass_answer').where('key', 'in', answers.limit(max)).executeTakeFirstOrThrow()
  const second = await tx
    .deleteFrom('overpass_place')
    .where('source_id', 'in', places.limit(max))
    .executeTakeFirstOrThrow()
  return Number(first.numDeletedRows + second.numDeletedRows)
}

/** @returns whether there are any such */
export async function hasOldAnswers(db: Reader, before: { answers: string; places: string }): Promise<boolean> {
  const answer = db.selectFrom('overpass_answer').select('key').where('answered_at', '<', before.answers).limit(1)
  const place = db.selectFrom('overpass_place').select('source_id').where('answered_at', '<', before.places).limit(1)
  return (await answer.execute()).length > 0 || (await place.execute()).length > 0
}
