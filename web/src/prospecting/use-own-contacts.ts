import type { MapContact } from '@server/prospecting/add-schema.ts'
import type { Box } from '@server/prospecting/schema.ts'
import { useCallback, useState } from 'react'
import { useContactsInView } from './use-places.ts'

export interface OwnContacts {
  contacts: MapContact[]
  /** How many there are in the area; more than `contacts` where those are too many to show. */
  count: number
  selected: ReadonlySet<string>
  select: (ids: readonly string[]) => void
}

const NO_CONTACTS: MapContact[] = []
const NONE: ReadonlySet<string> = new Set()

/**
 * One's own contacts in the area, and those of them that are selected there.
 *
 * @param box undefined while they are not shown
 */
export function useOwnContacts(box: Box | undefined): OwnContacts {
  const { data } = useContactsInView(box)
  const [selected, setSelected] = useState(NONE)
  const select = useCallback((ids: readonly string[]) => setSelected(new Set(ids)), [])
  if (!box) return { contacts: NO_CONTACTS, count: 0, selected: NONE, select }
  return { contacts: data?.data ?? NO_CONTACTS, count: data?.meta.count ?? 0, selected, select }
}
