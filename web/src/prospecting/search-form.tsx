import { CATEGORIES, type Category } from '@server/prospecting/categories.ts'
import { IconSearch } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { Form } from 'react-aria-components'
import { Button } from '../ui/button.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { Option, Select } from '../ui/select.tsx'
import { CATEGORY_WORDS } from './place-words.ts'
import type { ProspectingSearch } from './prospecting-search.ts'

const ALL = 'all'

export interface SearchFormProps {
  initial: ProspectingSearch
  onSearch: (category: Category | undefined, text: string | undefined) => void
  isPending: boolean
}

/** What to look for. Nothing is searched until somebody says so. */
export function SearchForm({ initial, onSearch, isPending }: SearchFormProps) {
  const [category, setCategory] = useState<Category | undefined>(initial.category)
  const [text, setText] = useState(initial.text ?? '')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSearch(category, text.trim() || undefined)
  }
  return (
    <Form className="prospecting-form" onSubmit={submit}>
      <div className="prospecting-row">
        <Select
          label="Kind"
          isLabelHidden
          value={category ?? ALL}
          onChange={(key) => setCategory(key === ALL ? undefined : (key as Category))}
        >
          <Option id={ALL}>All kinds</Option>
          {CATEGORIES.map((one) => (
            <Option key={one} id={one}>
              {CATEGORY_WORDS[one].one}
            </Option>
          ))}
        </Select>
        <SearchField label="Part of the name" value={text} onChange={setText} maxLength={100} />
      </div>
      <Button type="submit" variant="primary" icon={<IconSearch aria-hidden="true" />} isPending={isPending}>
        Search this area
      </Button>
    </Form>
  )
}
