/** The large jobs of a person: a file in, all contacts out. */
import { openAsBlob } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { SignedInPerson } from './person-of-org.ts'

const POLL_MS = 50

/** Uploads a file, has it checked and imported. @returns how long the import itself took */
export async function importFile(person: SignedInPerson, path: string): Promise<{ rows: number; seconds: number }> {
  const answer = await person.send('POST', '/imports/upload?name=contacts.csv', await openAsBlob(path), {
    'content-type': 'text/csv',
  })
  const { id } = (await answer.json()) as { id: string }
  await person.send('POST', `/imports/${id}/check`, '{}')
  await untilState(person, id, 'checked')
  const startedMs = performance.now()
  await person.send('POST', `/imports/${id}/run`, JSON.stringify({ skip_problems: true }))
  const { counts } = await untilState(person, id, 'done')
  return { rows: counts.rows_added, seconds: (performance.now() - startedMs) / 1000 }
}

interface Import {
  state: string
  counts: { rows_added: number }
}

async function untilState(person: SignedInPerson, id: string, wanted: string): Promise<Import> {
  for (;;) {
    const found = (await (await person.send('GET', `/imports/${id}`)).json()) as Import
    if (found.state === wanted) return found
    if (found.state === 'failed') throw new Error('The import has failed.')
    await delay(POLL_MS)
  }
}

/** Reads the whole export. */
export async function exportAll(person: SignedInPerson): Promise<{ rows: number; bytes: number; seconds: number }> {
  const startedMs = performance.now()
  const response = await person.send('GET', '/contacts/export')
  let lines = 0
  let bytes = 0
  for await (const chunk of response.body!) {
    bytes += chunk.length
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++
  }
  // The first line names the columns.
  return { rows: lines - 1, bytes, seconds: (performance.now() - startedMs) / 1000 }
}
