import { useSession } from '../app/session.ts'
import { COLUMNS } from '../contacts/grid/columns.ts'
import { USUAL_SORT } from '../contacts/list-query.ts'
import { SelectionBar } from '../contacts/selection-bar.tsx'
import { useIsOnline } from '../contacts/use-browser.ts'
import type { OwnContacts } from './use-own-contacts.ts'

const ANY_CONTACT = { filter: {}, sort: USUAL_SORT }
const ALL_COLUMNS = COLUMNS.map(({ id }) => id)

/** What can be done with the contacts selected on the map: the same as in the list of contacts. */
export function OwnSelection({ own: { selected, select } }: { own: OwnContacts }) {
  const { stages, labels } = useSession()
  const isOnline = useIsOnline()
  return (
    <SelectionBar
      selection={{ mode: 'some', ids: selected }}
      list={ANY_CONTACT}
      count={null}
      columns={ALL_COLUMNS}
      stages={stages.map(({ name }) => name)}
      labels={labels.map(({ name }) => name)}
      isDisabled={!isOnline}
      onClear={() => select([])}
    />
  )
}
