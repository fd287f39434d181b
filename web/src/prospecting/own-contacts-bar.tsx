import { Button } from '../ui/button.tsx'
import { count } from '../ui/format.ts'
import { Switch } from '../ui/switch.tsx'
import type { OwnContacts } from './use-own-contacts.ts'

export interface OwnContactsBarProps {
  isOn: boolean
  onChange: (isOn: boolean) => void
  own: OwnContacts
}

/** Shows one's own contacts on the map. What a box drawn there selects, a button selects here. */
export function OwnContactsBar({ isOn, onChange, own }: OwnContactsBarProps) {
  const { contacts } = own
  return (
    <div className="prospecting-own">
      <Switch isSelected={isOn} onChange={onChange}>
        My contacts on the map
      </Switch>
      {isOn ? (
        <p className="secondary" role="status">
          {own.count === 0 ? 'None in this area.' : `${count(own.count)} in this area.`}
        </p>
      ) : null}
      {isOn && contacts.length > 0 ? (
        <Button isSmall onPress={() => own.select(contacts.map(({ id }) => id))}>
          Select {count(contacts.length)}
        </Button>
      ) : null}
    </div>
  )
}
