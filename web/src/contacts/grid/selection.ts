/** Which contacts are selected: some by id, or all that match but some. */
import type { ContactFilter } from '@server/contacts/filter-schema.ts'

export type Selection =
  | { readonly mode: 'some'; readonly ids: ReadonlySet<string> }
  | { readonly mode: 'all'; readonly except: ReadonlySet<string> }

export const NOTHING: Selection = { mode: 'some', ids: new Set() }

export const EVERYTHING: Selection = { mode: 'all', except: new Set() }

export function isSelected(selection: Selection, id: string): boolean {
  return selection.mode === 'some' ? selection.ids.has(id) : !selection.except.has(id)
}

/** @param matching how many contacts match, or null while that is not known */
export function selectedCount(selection: Selection, matching: number | null): number | null {
  if (selection.mode === 'some') return selection.ids.size
  return matching === null ? null : Math.max(matching - selection.except.size, 0)
}

export function isNothing(selection: Selection, matching: number | null): boolean {
  return selectedCount(selection, matching) === 0
}

export function toggled(selection: Selection, id: string): Selection {
  return selectedAs(selection, [id], !isSelected(selection, id))
}

export function selectedAs(selection: Selection, ids: Iterable<string>, isOn: boolean): Selection {
  const isSome = selection.mode === 'some'
  const named = new Set(isSome ? selection.ids : selection.except)
  for (const id of ids) {
    if (isOn === isSome) named.add(id)
    else named.delete(id)
  }
  return isSome ? { mode: 'some', ids: named } : { mode: 'all', except: named }
}

/** What the server is asked to change. */
export type Target = { ids: string[] } | { filter: ContactFilter; except: string[]; expected?: number }

export function targetOf(selection: Selection, filter: ContactFilter, matching: number | null): Target {
  if (selection.mode === 'some') return { ids: [...selection.ids] }
  const expected = selectedCount(selection, matching)
  return { filter, except: [...selection.except], ...(expected !== null && { expected }) }
}
