import type { AnyRouter } from '@tanstack/react-router'
import { queryClient } from '../api/query.ts'
import { sessionQuery } from '../app/session.ts'

/**
 * Goes into the app, after the server has given this browser a session.
 *
 * @param path one of ours
 */
export async function enter(router: AnyRouter, path: string): Promise<void> {
  // What somebody else has seen here before stays theirs.
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
  await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
  router.history.push(path)
}
