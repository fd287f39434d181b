import { statSync } from 'node:fs'
import { makeBackup } from '../backups/actions.ts'
import { BackupFault } from '../backups/backup-file.ts'
import { path } from '../settings/value-kinds.ts'
import { defineCommand } from './command.ts'
import { withDatabase } from './database.ts'
import { CommandFailed } from './failure.ts'
import { fields } from './table.ts'

/** `kith backup`: `{file, bytes, created_at, orgs, rows, key_fingerprint}`. */
export const backupCommand = defineCommand({
  arguments: { file: { kind: path('FILE'), meaning: 'File to write; it must not exist yet.' } },
  options: {},
  details: [
    'Writes everything to one file as it is at this moment, while servers go on. It restores into SQLite and ' +
      'PostgreSQL alike, whichever it was made from. Only its owner may read it.',
    'Signing secrets are in it encrypted. The key they need is not: keep a copy of the key file elsewhere ' +
      '("kith config" tells where it is). Copying the data folder of a running server is no backup.',
    'Prints {file, bytes, created_at, orgs, rows, key_fingerprint}; rows counts by table.',
  ],
  examples: [
    { command: 'kith backup kith.backup', does: 'Backs up ./data.' },
    { command: 'kith backup "/backups/kith-$(date +%F)" --data /var/lib/kith', does: 'One file a day.' },
  ],
  async run({ file }, context) {
    await withDatabase(context, async (db, config) => {
      const { header, rows } = await makeBackup(db, file).catch((err) => {
        throw fileFailure(err, file)
      })
      const { created_at, key_fingerprint } = header
      const result = { file, bytes: statSync(file).size, created_at, orgs: rows.org ?? 0, rows, key_fingerprint }
      context.print(result, (style) =>
        fields(
          [
            ['file', file],
            ['bytes', result.bytes],
            ['orgs', result.orgs],
            ['contacts', rows.contact],
            ['rows in all', Object.values(rows).reduce((sum, count) => sum + count, 0)],
          ],
          style,
        ),
      )
      if (key_fingerprint !== null) {
        context.tell(`The signing secrets in it need the key in ${config.keyFile}, which is not in it.`)
      }
    })
  },
})

/** What went wrong with the file of a backup, in a sentence. */
export function fileFailure(err: unknown, file: string): unknown {
  if (err instanceof BackupFault) return new CommandFailed(err.message, { cause: err })
  const { code, syscall } = (err ?? {}) as NodeJS.ErrnoException
  if (!syscall) return err
  const why = FILE_FAULTS[code ?? ''] ?? `the system says ${code}`
  return new CommandFailed(`${file}: ${why}.`, { cause: err })
}

const FILE_FAULTS: Record<string, string> = {
  EACCES: 'it may not be used by this user',
  EISDIR: 'it is a folder',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is no folder',
  EROFS: 'the disk is read-only',
}
