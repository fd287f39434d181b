import { existsSync, readFileSync } from 'node:fs'
import { checkBackup, restoreBackup } from '../backups/actions.ts'
import { path } from '../settings/value-kinds.ts'
import { keyFingerprint } from '../webhooks/secret-box.ts'
import { fileFailure } from './backup.ts'
import { defineCommand } from './command.ts'
import { withNewDatabase } from './database.ts'
import { CommandFailed } from './failure.ts'
import { fields } from './table.ts'

/** `kith restore`: `{file, created_at, orgs, rows, key_fingerprint, key_file, key_fits}`. */
export const restoreCommand = defineCommand({
  arguments: { file: { kind: path('FILE'), meaning: 'What "kith backup" wrote.' } },
  options: {},
  details: [
    'Reads a backup into an empty data folder or an empty PostgreSQL database, whichever it was made from. Nothing is ' +
      'overwritten, and a file that is cut short or changed is refused before anything is made. No server may be ' +
      'running on the folder.',
    'The backup does not hold the key of the signing secrets: put the key file that belongs to it in its place, ' +
      'before or after. Tokens, passwords and subscriptions work as before; what was due is sent by the next server.',
    'Prints {file, created_at, orgs, rows, key_fingerprint, key_file, key_fits}; key_fits is null where there is no ' +
      'key file yet.',
  ],
  examples: [
    { command: 'kith restore kith.backup --data /var/lib/kith', does: 'Makes the data folder anew.' },
    {
      command: 'KITH_DATABASE_URL_FILE=url.txt kith restore kith.backup',
      does: 'Moves to PostgreSQL.',
    },
  ],
  async run({ file }, context) {
    const failed = (err: unknown) => {
      throw fileFailure(err, file)
    }
    const { keyFile } = context.config()
    const { header } = await checkBackup(file).catch(failed)
    const fits = keyFits(keyFile, header.key_fingerprint)
    if (fits === false) {
      throw new CommandFailed(
        `The key in ${keyFile} is not the one that this backup needs (fingerprint ${header.key_fingerprint}). ` +
          'Put the right one there, or move that file away and put the right one there later. Nothing was restored.',
      )
    }
    await withNewDatabase(
      context,
      async (db) => {
        const { rows } = await restoreBackup(db, file).catch(failed)
        const { created_at, key_fingerprint } = header
        const orgs = rows.org ?? 0
        const result = { file, created_at, orgs, rows, key_fingerprint, key_file: keyFile, key_fits: fits }
        context.print(result, (style) =>
          fields(
            [
              ['backup of', created_at],
              ['orgs', orgs],
              ['contacts', rows.contact],
              ['rows in all', Object.values(rows).reduce((sum, count) => sum + count, 0)],
            ],
            style,
          ),
        )
        if (fits === null) {
          context.tell(
            `Before a server starts, put the key that belongs to this backup (fingerprint ${key_fingerprint}) at ` +
              `${keyFile}, readable by its owner alone.`,
          )
        }
      },
      'server',
    )
  },
})

/** @returns null where a key is needed and there is none yet */
function keyFits(keyFile: string, fingerprint: string | null): boolean | null {
  if (fingerprint === null) return true
  if (!existsSync(keyFile)) return null
  const text = readFileSync(keyFile, 'utf8').trim()
  return /^[0-9a-f]{64}$/.test(text) && keyFingerprint(Buffer.from(text, 'hex')) === fingerprint
}
