/** The pages of a list as the cache of queries knows them. */
import type { Contact } from '@server/contacts/schema.ts'
import type { QueryClient } from '@tanstack/react-query'
import { get, query } from '../api/client.ts'
import { PAGE_ROWS, pageOf } from './grid/pages.ts'
import type { ContactList } from './list-query.ts'

export interface ContactPage {
  data: Contact[]
  meta: { count: number | null; limit: number; offset: number }
}

/** Begins the key of every page of every list. */
export const PAGES_KEY = ['contacts', 'page'] as const

/** Pages that nobody looks at are kept for so long: two minutes of scrolling hold a few thousand rows. */
const KEPT_MS = 120_000

export function pageQuery(list: ContactList, page: number) {
  return {
    queryKey: [...PAGES_KEY, list, page],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      get<ContactPage>(gridPath(list, { limit: PAGE_ROWS, offset: page * PAGE_ROWS, count: false }), { signal }),
    gcTime: KEPT_MS,
  }
}

/** How many contacts match. It is asked for beside the rows, so that they never wait for it. */
export function countQuery({ filter }: ContactList) {
  return {
    queryKey: ['contacts', 'count', filter],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const { meta } = await get<ContactPage>(gridPath({ filter }, { limit: 1, offset: 0, count: true }), { signal })
      return meta.count!
    },
  }
}

/** The contact at this place, if its page is there. */
export function contactAt(client: QueryClient, list: ContactList, row: number): Contact | undefined {
  const page = client.getQueryData<ContactPage>(pageQuery(list, pageOf(row)).queryKey)
  return page?.data[row % PAGE_ROWS]
}

/** The contact at this place, asked for where need be; undefined when the list ends before. */
export async function fetchContactAt(
  client: QueryClient,
  list: ContactList,
  row: number,
): Promise<Contact | undefined> {
  const page = await client.fetchQuery(pageQuery(list, pageOf(row)))
  return page.data[row % PAGE_ROWS]
}

/** Puts a contact as the server now has it into every page that shows it. */
export function putIntoPages(client: QueryClient, contact: Contact): void {
  client.setQueriesData<ContactPage>({ queryKey: PAGES_KEY }, (page) => {
    const at = page?.data.findIndex(({ id }) => id === contact.id) ?? -1
    return at === -1 ? page : { ...page!, data: page!.data.with(at, contact) }
  })
}

/** Contacts that some page has, by id. */
export function knownContacts(client: QueryClient): Map<string, Contact> {
  const pages = client.getQueriesData<ContactPage>({ queryKey: PAGES_KEY })
  return new Map(pages.flatMap(([, page]) => page?.data ?? []).map((contact) => [contact.id, contact]))
}

function gridPath(
  { filter, sort }: { filter: ContactList['filter']; sort?: ContactList['sort'] },
  page: { limit: number; offset: number; count: boolean },
): string {
  const isAll = Object.keys(filter).length === 0
  return `/contacts/grid${query({ filter: isAll ? undefined : filter, sort, ...page })}`
}
