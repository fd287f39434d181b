/** Looks for a text in everything that a database keeps. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Kith } from './kith.ts'

/**
 * Searches SQLite's files byte by byte, and PostgreSQL's rows, bytes in them included. On SQLite the server has been
 * stopped before, so that its log is empty.
 *
 * @returns where each of the texts was found
 */
export async function placesOf(kith: Kith, texts: readonly string[]): Promise<string[]> {
  const kept = kith.engine === 'sqlite' ? await filesOf(kith.folder) : await rowsOf(kith)
  return kept.flatMap(([place, bytes]) =>
    texts.filter((text) => holds(bytes, Buffer.from(text))).map((text) => `${text} in ${place}`),
  )
}

async function filesOf(folder: string): Promise<[string, Buffer][]> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('kith.db') || name === 'kith.commits')
  return Promise.all(names.map(async (name): Promise<[string, Buffer]> => [name, await readFile(join(folder, name))]))
}

async function rowsOf({ db }: Kith): Promise<[string, Buffer][]> {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE'`.execute(db.read)
  return Promise.all(
    tables.rows.map(async ({ name }): Promise<[string, Buffer]> => {
      const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.table(name)} t`.execute(db.read)
      return [name, Buffer.from(rows.map(({ text }) => text).join('\n'))]
    }),
  )
}

/** As text, in upper or lower case or folded for search, and as PostgreSQL writes bytes. */
function holds(bytes: Buffer, text: Buffer): boolean {
  const forms = [text, Buffer.from(text.toString().toLowerCase()), Buffer.from(text.toString('hex'))]
  return forms.some((form) => bytes.includes(form))
}
