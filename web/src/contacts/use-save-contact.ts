import type { Contact } from '@server/contacts/schema.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { ApiFailure, patch as send } from '../api/client.ts'
import { useAdmins } from '../app/session.ts'
import { failureWords } from '../ui/failure-words.ts'
import { toast } from '../ui/toast.ts'
import { nameOf } from './grid/cell.tsx'
import type { ColumnId } from './grid/columns.ts'
import type { Edits, Patch } from './grid/edits.ts'
import { faultInWords } from './grid/field-check.ts'
import { putIntoPages } from './list-pages.ts'

/**
 * Shows a change at once and sends it. When it is refused the old value comes back, the field says why, and a message
 * offers to try again.
 *
 * @returns resolves when the server has answered, with whether it was saved
 */
export function useSaveContact(edits: Edits): (contact: Contact, patch: Patch) => Promise<boolean> {
  const client = useQueryClient()
  const admins = useAdmins()
  return useCallback(
    async function save(contact: Contact, patch: Patch): Promise<boolean> {
      const { id } = contact
      edits.begin(id, patch)
      try {
        const answer = await send<Contact>(`/contacts/${id}`, patch)
        putIntoPages(client, answer)
        edits.saved(patch, answer)
        void client.invalidateQueries({ queryKey: ['contact', id] })
        return true
      } catch (err) {
        const details = err instanceof ApiFailure ? err.details : []
        const words = failureWords(err, `${nameOf(contact)} was not saved.`, admins)
        edits.refused(id, patch, (field) => (details.length > 0 ? faultInWords(field as ColumnId, details) : words))
        if (!(err instanceof ApiFailure)) reportError(err)
        toast({
          text: details.length > 0 ? `${nameOf(contact)} was not saved. ${details[0]!.message}` : words,
          tone: 'danger',
          action: { text: 'Try again', run: () => void save(contact, patch) },
        })
        return false
      }
    },
    [client, edits, admins],
  )
}
