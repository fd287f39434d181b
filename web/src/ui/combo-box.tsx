import { IconChevronDown } from '@tabler/icons-react'
import type { ReactNode, Ref } from 'react'
import {
  Button,
  Group,
  Input,
  ListBox,
  Popover,
  ComboBox as RacComboBox,
  type ComboBoxProps as RacComboBoxProps,
} from 'react-aria-components'
import { FieldLabel, FieldNotes, type FieldTexts, textsOf } from './field.tsx'
import './button.css'
import './popover.css'

export interface ComboBoxProps extends Omit<RacComboBoxProps<object>, 'className' | 'style' | 'children'>, FieldTexts {
  placeholder?: string | undefined
  /** `Option`s. */
  children: ReactNode
  /** Shown in the open list when nothing fits. Without it the list closes. */
  empty?: string | undefined
  inputRef?: Ref<HTMLInputElement> | undefined
}

/** One of many, found by typing. `allowsCustomValue` takes any text. */
export function ComboBox(props: ComboBoxProps) {
  const [texts, { children, placeholder, empty, inputRef, ...rest }] = textsOf(props)
  return (
    <RacComboBox {...rest} allowsEmptyCollection={empty !== undefined} className="field" data-field={rest.name}>
      <FieldLabel {...texts} />
      <Group className="input-group">
        <Input className="input" placeholder={placeholder} ref={inputRef} />
        <span className="input-suffix">
          <Button className="button button-quiet button-small button-icon">
            <IconChevronDown />
          </Button>
        </span>
      </Group>
      <FieldNotes {...texts} />
      <Popover className="popover" offset={4}>
        <ListBox className="list" renderEmptyState={() => <div className="list-empty">{empty}</div>}>
          {children}
        </ListBox>
      </Popover>
    </RacComboBox>
  )
}
export { Option } from './option.tsx'
