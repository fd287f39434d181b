/**
 * The list that a contact was opened from, kept in memory: its page goes on to the next or previous contact of it
 * (`[` and `]`) and back to the list as it was.
 */
import type { Contact } from '@server/contacts/schema.ts'
import { queryClient } from '../api/query.ts'
import { contactAt, fetchContactAt } from './list-pages.ts'
import type { ContactList, ContactsSearch } from './list-query.ts'

export interface ListContext {
  list: ContactList
  /** Of the address of the list, to go back there. */
  search: ContactsSearch
  /** Of the contact in the list. */
  row: number
  id: string
}

let context: ListContext | undefined

/** Called by a list when a contact is opened from it. */
export function rememberList(opened: ListContext): void {
  context = opened
}

/** The list that this contact was opened from, or came to through its neighbours. */
export function listContextOf(id: string): ListContext | undefined {
  return context?.id === id ? context : undefined
}

/** Where the last opened contact stood, for the list one comes back to. */
export function lastOpened(list: ContactList): ListContext | undefined {
  return context && JSON.stringify(context.list) === JSON.stringify(list) ? context : undefined
}

/**
 * The contact after (1) or before (-1) this one in its list, which then counts as opened from there.
 *
 * @returns undefined at an end of the list, and when the contact was not opened from one
 */
export async function goToNeighbour(id: string, step: 1 | -1): Promise<Contact | undefined> {
  const from = listContextOf(id)
  if (!from) return undefined
  const row = rowNow(from) + step
  const contact = row < 0 ? undefined : await fetchContactAt(queryClient, from.list, row)
  if (contact) context = { ...from, row, id: contact.id }
  return contact
}

/** The list may have changed meanwhile: the contact is looked for near where it was. */
function rowNow({ list, row, id }: ListContext): number {
  for (let distance = 0; distance < 50; distance++) {
    for (const near of [row + distance, row - distance]) {
      if (near >= 0 && contactAt(queryClient, list, near)?.id === id) return near
    }
  }
  return row
}
