/** The list of contacts that an address names: `/contacts?q&stage&label&tag&sort&view`. */
import type { ContactFilter, ContactSort } from '@server/contacts/filter-schema.ts'

/** The parameters of the address. One that is there, even when empty, stands in place of the view's. */
export interface ContactsSearch {
  q?: string | undefined
  /** Several; null stands for none. */
  stage?: Choice[] | undefined
  label?: Choice[] | undefined
  tag?: string | undefined
  /** The contacts of one import. */
  import?: string | undefined
  sort?: ContactSort | undefined
  /** `hot`, `no-stage`, or the id of a saved view. */
  view?: string | undefined
}

export type Choice = string | null

/** What the server is asked for. */
export interface ContactList {
  filter: ContactFilter
  sort: ContactSort
}

export interface View {
  id: string
  name: string
  filter: ContactFilter
  sort?: ContactSort | null | undefined
  columns?: readonly string[] | null | undefined
}

/** Those that everybody has; `all` has no id in the address. */
export const BUILT_IN_VIEWS: readonly View[] = [
  { id: 'all', name: 'All', filter: {} },
  { id: 'hot', name: 'Hot', filter: { labels: ['hot'] } },
  { id: 'no-stage', name: 'No stage', filter: { stages: [null] } },
]

export const USUAL_SORT: ContactSort = '-created'

const SORTS = ['created', 'name', 'company', 'value', 'updated'].flatMap((key) => [key, `-${key}`])

/** Reads what is in the address; what makes no sense there is left out. */
export function contactsSearch(raw: Record<string, unknown>): ContactsSearch {
  const search: ContactsSearch = {
    q: textOf(raw.q),
    stage: choicesOf(raw.stage),
    label: choicesOf(raw.label),
    tag: textOf(raw.tag),
    import: textOf(raw.import),
    sort: SORTS.includes(String(raw.sort)) ? (raw.sort as ContactSort) : undefined,
    view: textOf(raw.view),
  }
  return withoutUndefined(search)
}

export function listOf(search: ContactsSearch, views: readonly View[]): ContactList {
  const view = viewOf(search, views)
  const { q, stages, labels, tag, import_id, has_stage } = view?.filter ?? {}
  return {
    filter: withoutUndefined({
      q: (search.q ?? q)?.trim() || undefined,
      stages: someOf(search.stage ?? stages),
      labels: someOf(search.label ?? labels),
      tag: (search.tag ?? tag) || undefined,
      import_id: (search.import ?? import_id) || undefined,
      has_stage,
    }),
    sort: search.sort ?? view?.sort ?? USUAL_SORT,
  }
}

export function viewOf(search: ContactsSearch, views: readonly View[]): View | undefined {
  return [...BUILT_IN_VIEWS, ...views].find(({ id }) => id === (search.view ?? 'all'))
}

/** Whether the list is another than its view: there is something to save. */
export function differsFromView(search: ContactsSearch, views: readonly View[]): boolean {
  const asSaved = listOf({ view: search.view }, views)
  return JSON.stringify(listOf(search, views)) !== JSON.stringify(asSaved)
}

/** Whether anything is left out of the list. */
export function isFiltered({ filter }: ContactList): boolean {
  return Object.keys(filter).length > 0
}

/** "“xyz” with stage won or no stage", for the sentence that says that nothing matches. */
export function filterInWords({ q, stages, labels, tag, import_id, has_stage }: ContactFilter): string {
  const withs = [
    stages && choicesInWords('stage', stages),
    has_stage === undefined ? undefined : has_stage ? 'a stage' : 'no stage',
    labels && choicesInWords('label', labels),
    tag && `tag ${tag}`,
  ].filter((words) => words !== undefined && words !== '')
  const parts = [q && `“${q}”`, withs.length > 0 && `with ${withs.join(' and ')}`, import_id && 'from this import']
  return parts.filter(Boolean).join(' ')
}

function choicesInWords(noun: string, choices: readonly Choice[]): string {
  const named = choices.filter((choice) => choice !== null)
  const none = choices.includes(null) ? [`no ${noun}`] : []
  return [...(named.length > 0 ? [`${noun} ${named.join(' or ')}`] : []), ...none].join(' or ')
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value.slice(0, 200) : undefined
}

function choicesOf(value: unknown): Choice[] | undefined {
  if (value === undefined) return undefined
  const choices = Array.isArray(value) ? value : [value]
  return [...new Set(choices.map((choice) => (choice === null ? null : textOf(choice))))].filter(
    (choice) => choice !== undefined,
  )
}

function someOf(choices: Choice[] | undefined): Choice[] | undefined {
  return choices && choices.length > 0 ? choices : undefined
}

function withoutUndefined<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T
}
