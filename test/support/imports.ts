/** The steps of the import wizard, for tests. */
import assert from 'node:assert/strict'
import type { ImportDetail, ImportPatch, ProblemList } from '../../server/src/imports/ui-schema.ts'
import type { Answer } from './http-client.ts'
import type { Ui } from './ui.ts'
import { until } from './until.ts'

export const CSV = { 'content-type': 'text/csv' }

/** PostgreSQL on a busy machine takes some thousands of rows in a minute. */
const WAIT_MS_MAX = 240_000

export function sendFile(ui: Ui, text: string | Uint8Array, name = 'people.csv'): Promise<Answer> {
  return ui.post(`/imports/upload?name=${encodeURIComponent(name)}`, Buffer.from(text as string), CSV)
}

export async function upload(ui: Ui, text: string | Uint8Array, name?: string): Promise<ImportDetail> {
  return done(await sendFile(ui, text, name), 201)
}

export function state(ui: Ui, id: string): Promise<ImportDetail> {
  return ui.get(`/imports/${id}`).then((answer) => done(answer))
}

/** Waits until the import is in this state. */
export function reached(ui: Ui, id: string, wanted: ImportDetail['state']): Promise<ImportDetail> {
  return until(
    `the import is ${wanted}`,
    async () => {
      const found = await state(ui, id)
      return found.state === wanted ? found : undefined
    },
    WAIT_MS_MAX,
  )
}

/** Changes an upload, and has it checked. */
export async function checked(ui: Ui, id: string, patch: ImportPatch = {}): Promise<ImportDetail> {
  if (Object.keys(patch).length > 0) done(await ui.patch(`/imports/${id}`, patch))
  done(await ui.post(`/imports/${id}/check`, {}))
  return reached(ui, id, 'checked')
}

/** Uploads a file, checks and imports it. */
export async function imported(ui: Ui, text: string, patch?: ImportPatch): Promise<ImportDetail> {
  const { id } = await upload(ui, text)
  await checked(ui, id, patch)
  done(await ui.post(`/imports/${id}/run`, { skip_problems: true }))
  return reached(ui, id, 'done')
}

export async function undone(ui: Ui, id: string): Promise<ImportDetail> {
  done(await ui.post(`/imports/${id}/undo`, {}))
  return reached(ui, id, 'undone')
}

export async function problems(ui: Ui, id: string, query = ''): Promise<ProblemList> {
  return done(await ui.get(`/imports/${id}/problems${query}`))
}

// biome-ignore lint/suspicious/noExplicitAny: tests reach into answers
export function done(answer: Answer, status = 200): any {
  assert.equal(answer.status, status, answer.text)
  return answer.body
}

/** Counts as an import tells them, the rest of them zero. */
export function counts(some: Partial<ImportDetail['counts']>): ImportDetail['counts'] {
  return { rows_read: 0, rows_added: 0, rows_updated: 0, rows_skipped: 0, rows_rejected: 0, ...some }
}
