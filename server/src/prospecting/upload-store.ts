/** Files of places that members have uploaded, each for one session. */
import { sql } from 'kysely'
import type { Reader, Tx } from '../database/engine.ts'
import { givenRows } from '../database/given-rows.ts'
import type { PlaceUploadTable } from '../database/schema.ts'
import { GIVEN_COLUMNS, givenPlace, PLACE_COLUMNS, placeOfRow, SOURCE_COLUMNS } from './place-columns.ts'
import type { Place } from './schema.ts'

export type PlaceUpload = Omit<PlaceUploadTable, 'is_whole' | 'places'> & { is_whole: number; places: number }

export interface UploadKey {
  orgId: string
  id: string
}

const COLUMNS_OF_UPLOAD = ['org_id', 'session_id', 'is_whole', ...SOURCE_COLUMNS, 'created_at'] as const

/** What a session has uploaded, oldest first, unfinished ones included. */
export function uploadsOf(
  db: Reader,
  { orgId, sessionId }: { orgId: string; sessionId: string },
): Promise<PlaceUpload[]> {
  return db
    .selectFrom('place_upload')
    .select(COLUMNS_OF_UPLOAD)
    .where('org_id', '=', orgId)
    .where('session_id', '=', sessionId)
    .orderBy('id')
    .execute()
}

export async function insertUpload(tx: Tx, upload: PlaceUpload): Promise<void> {
  await tx.insertInto('place_upload').values(upload).execute()
}

/** @returns whether it is still there */
export async function updateUpload(
  tx: Tx,
  { orgId, id }: UploadKey,
  change: Partial<Omit<PlaceUpload, 'org_id' | 'id'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('place_upload')
    .set(change)
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** @returns how many of them were not in the upload yet */
export async function insertUploaded(tx: Tx, { orgId, id }: UploadKey, places: readonly Place[]): Promise<number> {
  const columns = sql.join(Object.keys(GIVEN_COLUMNS).map((name) => sql.ref(name)))
  const rows = places.map((place) => ({ ...givenPlace(place), org_id: orgId, upload_id: id }))
  const types = { ...GIVEN_COLUMNS, org_id: 'uuid', upload_id: 'uuid' } as const
  const { numAffectedRows } = await sql`insert into uploaded_place (org_id, upload_id, ${columns})
    select org_id, upload_id, ${columns} from ${givenRows(tx, rows, types)}
    where true on conflict do nothing`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

export async function placesOfUpload(
  db: Reader,
  { orgId, id }: UploadKey,
  sourceIds: readonly string[],
): Promise<Place[]> {
  const rows = await db
    .selectFrom('uploaded_place')
    .select(PLACE_COLUMNS)
    .where('org_id', '=', orgId)
    .where('upload_id', '=', id)
    .where('source_id', 'in', sourceIds)
    .execute()
  return rows.map(placeOfRow)
}

/** One that was made before, or whose session has ended, of any org. */
export async function endedUpload(db: Reader, createdBefore: string): Promise<UploadKey | undefined> {
  const any = db.selectFrom('place_upload as u').select(['u.org_id', 'u.id']).limit(1)
  const old = any.where('u.created_at', '<', createdBefore)
  const withoutSession = any.where(({ not, exists, selectFrom }) =>
    not(
      exists(
        selectFrom('session as s')
          .select('s.id')
          .whereRef('s.org_id', '=', 'u.org_id')
          .whereRef('s.id', '=', 'u.session_id'),
      ),
    ),
  )
  const row = (await old.executeTakeFirst()) ?? (await withoutSession.executeTakeFirst())
  return row && { orgId: row.org_id, id: row.id }
}

/** @returns how many it was */
export async function deleteUploaded(tx: Tx, { orgId, id }: UploadKey, max: number): Promise<number> {
  const some = tx
    .selectFrom('uploaded_place')
    .select('source_id')
    .where('org_id', '=', orgId)
    .where('upload_id', '=', id)
    .orderBy('source_id')
    .limit(max)
  const { numDeletedRows } = await tx
    .deleteFrom('uploaded_place')
    .where('org_id', '=', orgId)
    .where('upload_id', '=', id)
    .where('source_id', 'in', some)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

export async function deleteUpload(tx: Tx, { orgId, id }: UploadKey): Promise<void> {
  await tx.deleteFrom('place_upload').where('org_id', '=', orgId).where('id', '=', id).execute()
}
