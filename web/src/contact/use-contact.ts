import type { ContactPage } from '@server/contacts/page-schema.ts'
import type { Contact } from '@server/contacts/schema.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import type { ColumnId } from '../contacts/grid/columns.ts'
import { Edits, type Patch } from '../contacts/grid/edits.ts'
import { knownContacts } from '../contacts/list-pages.ts'
import { useSaveContact } from '../contacts/use-save-contact.ts'
import { contactPageQuery } from './contact-query.ts'

export interface ShownContact {
  /** With what has been changed here and is still on its way; what a list knows of it until the server has answered. */
  contact: Contact | undefined
  page: ContactPage | undefined
  failure: unknown
  retry: () => void
  save: (patch: Patch) => Promise<boolean>
  /** Why the server did not take the last change of a field. */
  refusalOf: (field: ColumnId) => string | undefined
  forgetRefusal: (field: ColumnId) => void
}

export function useContact(id: string): ShownContact {
  const client = useQueryClient()
  const [edits] = useState(() => new Edits())
  useSyncExternalStore(edits.subscribe, edits.getVersion)
  const { data, error, refetch } = useQuery(contactPageQuery(id))
  const send = useSaveContact(edits)
  const known = data?.contact ?? client.getQueryData<Contact>(['contact', id]) ?? knownContacts(client).get(id)
  const contact = known && edits.shown(known)
  return {
    contact,
    page: data,
    failure: error,
    retry: () => void refetch(),
    save: async (patch) => (contact ? send(contact, patch) : false),
    refusalOf: (field) => edits.refusalOf(id, field)?.message,
    forgetRefusal: (field) => edits.forgetRefusal(id, field),
  }
}
