import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '../database/engine.ts'
import { contactsWithPlace, placesByContact } from '../prospecting/contact-place-actions.ts'
import { BYTE_ORDER_MARK, csvLine } from '../text/csv.ts'
import { contactCells } from './contact-line.ts'
import { CONTACT_COLUMNS, type ContactColumn, PLACE_COLUMNS } from './export-schema.ts'
import { matching } from './grid-store.ts'
import { requireSelection, type Selection, selectedContacts } from './selection.ts'

/** Half a millisecond of the event loop. */
const LINES_AT_ONCE = 250

/**
 * The text of a CSV file of contacts, oldest first, piece by piece: never all in memory, never for long on the event
 * loop. `noteCount` is told how many there were when all have been given.
 *
 * Where one of them was found on a map, the file ends with the columns of its place, whatever columns were asked for:
 * most licences of places want their source named wherever they go.
 *
 * @throws ApiError `validation` when it is not either ids or a filter
 */
export function contactFile(
  db: Database,
  orgId: string,
  selection: Selection,
  columns: readonly ContactColumn[] = CONTACT_COLUMNS,
  noteCount: (count: number) => void = () => {},
): AsyncGenerator<string> {
  requireSelection(selection)
  return pieces(db, orgId, selection, columns, noteCount)
}

async function* pieces(
  db: Database,
  orgId: string,
  selection: Selection,
  columns: readonly ContactColumn[],
  noteCount: (count: number) => void,
): AsyncGenerator<string> {
  const placeColumns = (await isAnyFromMap(db, orgId, selection)) ? PLACE_COLUMNS : []
  yield BYTE_ORDER_MARK + csvLine([...columns, ...placeColumns])
  let count = 0
  for await (const some of oneAhead(selectedContacts(db.slow, orgId, selection))) {
    count += some.length
    for (let at = 0; at < some.length; at += LINES_AT_ONCE) {
      const contacts = some.slice(at, at + LINES_AT_ONCE)
      const ids = contacts.map(({ id }) => id)
      const places = placeColumns.length > 0 ? await placesByContact(db.slow, orgId, ids) : undefined
      const lines = contacts.map((contact) => {
        // Not in an empty map: V8 keeps each text that is looked up, 80 MB for a million, until its next full collection.
        const place = places?.get(contact.id)
        const placeCells = placeColumns.map((column) => String(place?.[column] ?? ''))
        return csvLine([...contactCells(contact, columns), ...placeCells])
      })
      yield lines.join('')
      // Answers of a thread that are there already are all given in one turn of the event loop.
      await nextTurn()
    }
  }
  noteCount(count)
}

/** Asks for the next before the last has been worked off, so that a thread reads while lines are written. */
async function* oneAhead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = source.next()
  try {
    for (;;) {
      const { done, value } = await next
      if (done) return
      next = source.next()
      // Told when its turn comes, or nobody is there any more to be told.
      next.catch(() => {})
      yield value
    }
  } finally {
    await source.return(undefined)
  }
}

async function isAnyFromMap(
  db: Database,
  orgId: string,
  { ids, filter = {}, except = [] }: Selection,
): Promise<boolean> {
  const [wanted, left] = [ids && new Set(ids), new Set(except)]
  for await (const some of contactsWithPlace(db.slow, orgId)) {
    const meant = some.filter((id) => !left.has(id))
    const chosen = wanted ? meant.filter((id) => wanted.has(id)) : await matching(db.slow, orgId, filter, meant)
    if (chosen.length > 0) return true
  }
  return false
}
