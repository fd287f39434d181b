/** What the server says about one contact. */
import type { Activities } from '@server/activities/schema.ts'
import type { ContactPage } from '@server/contacts/page-schema.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { get, query } from '../api/client.ts'

/** All that its page shows at first. */
export function contactPageQuery(id: string) {
  return queryOptions({
    queryKey: ['contact', id, 'page'],
    queryFn: ({ signal }) => get<ContactPage>(`${pathOf(id)}/page`, { signal }),
  })
}

/** Its history, newest first, piece by piece. */
export function activitiesQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['contact', id, 'activities'],
    queryFn: ({ pageParam, signal }) =>
      get<Activities>(`${pathOf(id)}/activities${query({ before: pageParam })}`, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.next ?? undefined,
  })
}

export function pathOf(id: string): string {
  return `/contacts/${encodeURIComponent(id)}`
}
