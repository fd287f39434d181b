import { open } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import type { Database } from '../database/engine.ts'
import { eraseDeadSets, type LoadedSet, listSets, loadPlaces, removeSet } from '../prospecting/set-actions.ts'
import { path, text } from '../settings/value-kinds.ts'
import { visibleText } from '../text/visible-text.ts'
import { defineCommand, type Group } from './command.ts'
import { withDatabase, withNewDatabase } from './database.ts'
import { CommandFailed, Misuse } from './failure.ts'
import { importProgress } from './import-progress.ts'
import { idArgument, yesOption } from './record-options.ts'
import { type Column, fields, table } from './table.ts'

const PIECE_BYTES = 128 * 1024

const loadCommand = defineCommand({
  arguments: { file: { kind: path('FILE'), meaning: 'GeoJSON, GeoJSON lines, an answer of Overpass, or CSV.' } },
  options: {
    name: { kind: text('NAME'), meaning: 'What people see it as; else the name of the file.' },
    licence: { kind: text('TEXT'), meaning: 'Under what it may be used, where the file does not say it.' },
    attribution: { kind: text('TEXT'), meaning: 'Whom to name wherever its places show.' },
  },
  details: [
    'Loads the places of a file, for all orgs to search on the map. A set of the same name is replaced, in one step ' +
      'when all is read; what fails in the middle changes nothing. Works beside running servers.',
    'Which format it is, the content tells: GeoJSON as QGIS and overpass-turbo write it, GeoJSON lines as the Overture ' +
      'Maps command writes places, what an Overpass server answers, or CSV whose first row names the columns (name, ' +
      'latitude and longitude are needed). Data of OpenStreetMap and Overture Maps is known as such, with its licence.',
    'Prints {id, name, format, places, licence, attribution, skipped, replaced}. skipped counts what was left out: ' +
      'no_name, no_position, broken, and repeated for an id that had come before.',
  ],
  examples: [
    { command: 'kith places load berlin.geojson', does: 'Loads it as "berlin".' },
    {
      command: 'kith places load shops.csv --name Shops --licence "CC BY 4.0" --attribution "City of Skopje"',
      does: 'Loads a list and says whose it is.',
    },
  ],
  async run({ file, name = basename(file, extname(file)), licence, attribution }, context) {
    await withNewDatabase(context, async (db) => {
      const opened = await openFile(file)
      const progress = importProgress(context.terminal.stderr, opened.bytes, 'places')
      const onProgress = ({ bytesRead, places }: { bytesRead: number; places: number }) =>
        progress.show({ bytesRead, rows_read: places })
      try {
        const bytes = opened.pieces()
        const loaded = await loadPlaces(db, { name, bytes, licence, attribution, onProgress }).finally(progress.end)
        context.print(answerOf(loaded), (style) => `${fields(fieldsOf(loaded), style)}${skippedLine(loaded)}`)
      } finally {
        await opened.close()
      }
      await eraseAll(db)
    })
  },
})

async function openFile(file: string) {
  try {
    const handle = await open(file)
    const stat = await handle.stat()
    if (stat.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' })
    return {
      bytes: stat.size,
      pieces: () => handle.createReadStream({ highWaterMark: PIECE_BYTES, autoClose: false }),
      close: () => handle.close(),
    }
  } catch (err) {
    const reason = REASONS[(err as NodeJS.ErrnoException).code ?? '']
    if (!reason) throw err
    throw new CommandFailed(`${file}: ${reason}`, { cause: err })
  }
}

const REASONS: Record<string, string> = {
  ENOENT: 'there is no such file.',
  EACCES: 'the file may not be read.',
  EISDIR: 'it is a folder, and must be a file.',
}

function answerOf({ set, format, skipped, isReplaced }: LoadedSet) {
  const { id, name, places, licence, attribution } = set
  return { id, name, format, places, licence, attribution, skipped, replaced: isReplaced }
}

function fieldsOf(loaded: LoadedSet): [string, string | number | null][] {
  const { id, name, format, places, licence, attribution, replaced } = answerOf(loaded)
  const count = places.toLocaleString('en')
  return Object.entries({ id, name, format, places: count, licence, attribution, replaced: replaced ? 'yes' : 'no' })
}

function skippedLine({ skipped }: LoadedSet): string {
  const words = { no_name: 'without a name', no_position: 'without a position', broken: 'broken', repeated: 'repeated' }
  const parts = Object.entries(words)
    .map(([key, word]) => [skipped[key as keyof typeof words], word] as const)
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count.toLocaleString('en')} ${word}`)
  return parts.length > 0 ? `\nLeft out: ${parts.join(', ')}.` : ''
}

/** A server does it too, if one is running. */
async function eraseAll(db: Database): Promise<void> {
  while ((await eraseDeadSets(db)) > 0);
}

const listCommand = defineCommand({
  arguments: {},
  options: {},
  details: ['Lists the sets of places by name. Prints [{id, name, places, licence, attribution, loaded_at}].'],
  examples: [{ command: 'kith places list', does: 'Lists them.' }],
  async run(_given, context) {
    await withDatabase(context, async (db) => {
      const sets = (await listSets(db.read)).map(({ id, name, places, licence, attribution, loaded_at }) => {
        return { id, name, places, licence, attribution, loaded_at }
      })
      context.print(sets, (style) => table(sets, COLUMNS, style))
    })
  },
})

type Listed = Pick<LoadedSet['set'], 'id' | 'name' | 'places' | 'licence' | 'attribution' | 'loaded_at'>

const COLUMNS: Column<Listed>[] = [
  { title: 'ID', value: ({ id }) => id },
  { title: 'NAME', value: ({ name }) => name },
  { title: 'PLACES', value: ({ places }) => places.toLocaleString('en') },
  { title: 'LICENCE', value: ({ licence }) => licence },
  { title: 'ATTRIBUTION', value: ({ attribution }) => attribution },
  { title: 'LOADED', value: (set) => set.loaded_at },
]

const removeCommand = defineCommand({
  arguments: { id: idArgument('set; "kith places list" tells') },
  options: { yes: yesOption },
  details: [
    'Removes a set of places. Contacts that were made of its places stay as they are. Prints {id, name, places, removed}.',
  ],
  examples: [{ command: 'kith places remove SET_ID --yes', does: 'Removes it.' }],
  async run({ id, yes }, context) {
    await withDatabase(context, async (db) => {
      if (!yes) {
        const found = (await listSets(db.read)).find((set) => set.id === id)
        const what = found ? `"${visibleText(found.name)}"` : 'a set of places'
        throw new Misuse(`This removes ${what} for all orgs. Say --yes to do it.`)
      }
      const { name, places } = await removeSet(db, id)
      await eraseAll(db)
      const count = `${places.toLocaleString('en')} ${places === 1 ? 'place' : 'places'}`
      context.print({ id, name, places, removed: true }, () => `"${visibleText(name)}" is removed: ${count}.`)
    })
  },
})

export const placesCommands: Group = {
  details: ['Places (shops, offices and others) that people find on the map and add as contacts.'],
  commands: {
    load: { summary: 'Load the places of a file', load: () => loadCommand },
    list: { summary: 'List the sets of places', load: () => listCommand },
    remove: { summary: 'Remove a set of places', load: () => removeCommand },
  },
  examples: [],
}
