import { IconAdjustmentsHorizontal, IconCheck, IconChevronDown, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { CheckboxGroup } from '../ui/checkbox-group.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { Option, Select } from '../ui/select.tsx'
import { COLUMNS, type Sort } from './grid/columns.ts'
import { type Choice, type ContactList, type ContactsSearch, isFiltered } from './list-query.ts'

export interface FilterBarProps {
  search: ContactsSearch
  list: ContactList
  onChange: (change: Partial<ContactsSearch>) => void
  stages: readonly string[]
  labels: readonly string[]
  isPhone: boolean
}

/** The key of "None" among names, none of which is empty. */
const NONE = ' none'

/** Search, and what is left in the list. On a phone all but the search is in a sheet. */
export function FilterBar(props: FilterBarProps) {
  const { search, list, onChange, stages, labels, isPhone } = props
  const { filter } = list
  const clear = () =>
    onChange({ q: undefined, stage: undefined, label: undefined, tag: undefined, import: undefined, view: undefined })
  return (
    <search className="filter-bar">
      <Search text={search.q ?? filter.q ?? ''} onChange={(q) => onChange({ q })} />
      {isPhone ? (
        <FilterSheet {...props} />
      ) : (
        <>
          <FilterChip title="Stage" choices={stages} chosen={filter.stages} onChange={(stage) => onChange({ stage })} />
          <FilterChip title="Label" choices={labels} chosen={filter.labels} onChange={(label) => onChange({ label })} />
        </>
      )}
      {filter.tag ? <Given text={`Tag: ${filter.tag}`} onRemove={() => onChange({ tag: '' })} /> : null}
      {filter.import_id ? <Given text="From one import" onRemove={() => onChange({ import: '' })} /> : null}
      {isFiltered(list) && !isPhone ? (
        <Button variant="quiet" onPress={clear}>
          Clear filters
        </Button>
      ) : null}
    </search>
  )
}

/** Each key sends. What is typed stands here at once: the address follows. */
function Search({ text, onChange }: { text: string; onChange: (text: string) => void }) {
  const [typed, setTyped] = useState(text)
  const sent = useRef(text)
  useEffect(() => {
    // Another view or "Back" has changed the address; what was typed since is newer than what comes from there.
    if (text === sent.current) return
    sent.current = text
    setTyped(text)
  }, [text])
  return (
    <SearchField
      label="Search name or company"
      value={typed}
      maxLength={200}
      onChange={(next) => {
        setTyped(next)
        sent.current = next
        onChange(next)
      }}
    />
  )
}

interface FilterChipProps {
  title: string
  choices: readonly string[]
  chosen: readonly Choice[] | undefined
  onChange: (chosen: Choice[]) => void
}

/** Several of a few, none among them. */
function FilterChip({ title, choices, chosen = [], onChange }: FilterChipProps) {
  const keys = chosen.map((choice) => choice ?? NONE)
  return (
    <Menu
      aria-label={title}
      selectionMode="multiple"
      selectedKeys={keys}
      onSelectionChange={(next) => onChange(next === 'all' ? [] : choicesOf([...next].map(String)))}
      trigger={
        <Button>
          <span className="filter-chip-text" data-on={chosen.length > 0 ? '' : undefined}>
            {chosen.length === 0 ? title : `${title}: ${chosen.map((choice) => choice ?? 'None').join(', ')}`}
          </span>
          <IconChevronDown aria-hidden="true" />
        </Button>
      }
    >
      {[...choices, NONE].map((choice) => (
        <MenuItem key={choice} id={choice} textValue={choice === NONE ? 'None' : choice}>
          <span className="menu-choice">
            <IconCheck className="menu-check" data-on={keys.includes(choice) ? '' : undefined} aria-hidden="true" />
            {choice === NONE ? 'None' : choice}
          </span>
        </MenuItem>
      ))}
    </Menu>
  )
}

function Given({ text, onRemove }: { text: string; onRemove: () => void }) {
  return (
    <Button onPress={onRemove} aria-label={`${text}: remove this filter`}>
      {text}
      <IconX aria-hidden="true" />
    </Button>
  )
}

const SORT_NAMES: Record<string, [string, string]> = {
  created: ['oldest first', 'newest first'],
  updated: ['longest ago first', 'latest first'],
  value: ['lowest first', 'highest first'],
}

function FilterSheet({ list, onChange, stages, labels }: FilterBarProps) {
  const { filter, sort } = list
  const number = (filter.stages ? 1 : 0) + (filter.labels ? 1 : 0)
  const group = (
    title: string,
    choices: readonly string[],
    chosen: readonly Choice[] = [],
    field: 'stage' | 'label',
  ) => (
    <CheckboxGroup
      label={title}
      value={chosen.map((choice) => choice ?? NONE)}
      onChange={(next) => onChange({ [field]: choicesOf(next) })}
    >
      {[...choices, NONE].map((choice) => (
        <Checkbox key={choice} value={choice}>
          {choice === NONE ? 'None' : choice}
        </Checkbox>
      ))}
    </CheckboxGroup>
  )
  return (
    <Dialog
      title="Filters"
      trigger={<Button icon={<IconAdjustmentsHorizontal />}>{number > 0 ? `Filters (${number})` : 'Filters'}</Button>}
    >
      {(close) => (
        <>
          <Select label="Sort by" value={sort} onChange={(key) => onChange({ sort: key as Sort })}>
            {COLUMNS.filter((column) => column.sort !== undefined).flatMap(({ title, sort: key }) =>
              [key!, `-${key!}`].map((name, at) => (
                <Option key={name} id={name}>
                  {`${title}, ${SORT_NAMES[key!]?.[at] ?? (at === 0 ? 'A to Z' : 'Z to A')}`}
                </Option>
              )),
            )}
          </Select>
          {group('Stage', stages, filter.stages, 'stage')}
          {group('Label', labels, filter.labels, 'label')}
          <DialogActions>
            <Button onPress={() => onChange({ stage: [], label: [] })}>Clear filters</Button>
            <Button variant="primary" onPress={close}>
              Show contacts
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}

function choicesOf(keys: readonly string[]): Choice[] {
  return keys.map((key) => (key === NONE ? null : key))
}
