/** A file that was uploaded: its bytes are in the database, so that any process can go on with it after a restart. */
import type { Database } from '../database/engine.ts'
import { type Fix, fixesOf, partOf } from './file-store.ts'
import type { Fixes, ImportPlan } from './job.ts'
import { fileFault, PIECE_BYTES, type SourceFile } from './source-file.ts'
import type { ImportJob, ImportKey } from './store.ts'

export const FIXES_MAX = 10_000

export function keyOf({ org_id, id }: Pick<ImportJob, 'org_id' | 'id'>): ImportKey {
  return { orgId: org_id, id }
}

/** The plan of an import, as it stands in the database, with its file. */
export function storedPlan(db: Database, job: ImportJob): ImportPlan {
  const plan: Omit<ImportPlan, 'file'> = JSON.parse(job.mapping)
  const file: SourceFile = {
    name: job.file_name,
    bytes: job.file_bytes,
    hash: job.file_hash,
    encoding: plan.format.encoding,
    pieces: () => storedPieces(db, keyOf(job), job.file_bytes),
  }
  return { ...plan, file }
}

/** @throws ApiError `validation` at `file` when it has been erased */
export async function* storedPieces(db: Database, key: ImportKey, bytes: number): AsyncGenerator<Uint8Array> {
  const parts = Math.ceil(bytes / PIECE_BYTES)
  for (let part = 0; part < parts; part++) {
    const piece = await partOf(db.read, key, part)
    if (!piece) throw fileFault('The uploaded file is not there any more. Upload it again.')
    yield piece
  }
}

export async function storedFixes(db: Database, key: ImportKey): Promise<Fixes> {
  const fixes: Fix[] = await fixesOf(db.read, key, FIXES_MAX)
  return new Map(fixes.map(({ row, cells }) => [row, cells]))
}
