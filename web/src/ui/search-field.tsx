import { IconSearch, IconX } from '@tabler/icons-react'
import type { Ref } from 'react'
import {
  Button,
  Group,
  Input,
  SearchField as RacSearchField,
  type SearchFieldProps as RacSearchFieldProps,
} from 'react-aria-components'
import './button.css'
import './field.css'

export interface SearchFieldProps extends Omit<RacSearchFieldProps, 'className' | 'style' | 'children' | 'aria-label'> {
  /** Read aloud and shown in the empty field: "Search name or company". */
  label: string
  inputRef?: Ref<HTMLInputElement> | undefined
}

/** A search: `/` moves the focus to the first of the page. */
export function SearchField({ label, inputRef, ...rest }: SearchFieldProps) {
  return (
    <RacSearchField {...rest} aria-label={label} className="field search-field">
      {({ isEmpty }) => (
        <Group className="input-group">
          <IconSearch className="input-icon" aria-hidden="true" />
          <Input className="input" placeholder={label} ref={inputRef} data-page-search="" />
          {isEmpty ? null : (
            <span className="input-suffix">
              <Button className="button button-quiet button-small button-icon" aria-label="Clear search">
                <IconX />
              </Button>
            </span>
          )}
        </Group>
      )}
    </RacSearchField>
  )
}
