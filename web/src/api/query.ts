import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiFailure } from './client.ts'

const JUST_FAILED_MS = 5_000

/**
 * The cache of what the server has said. It lives in memory alone.
 *
 * What is there is shown at once and asked for again behind when it is older than `staleTime`; the live stream says
 * earlier when something has changed. A refusal (4xx) is final; a server that is away is asked twice more.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache(),
  mutationCache: new MutationCache(),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      gcTime: 10 * 60_000,
      refetchOnWindowFocus: false,
      retry: (failures, err) => isPassing(err) && failures < 2,
      retryDelay: (failures) => 400 * 2 ** failures,
      // What was fetched ahead and has just failed is not asked for again because its page is drawn.
      retryOnMount: ({ state }) => Date.now() - state.errorUpdatedAt > JUST_FAILED_MS,
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

function isPassing(err: unknown): boolean {
  return !(err instanceof ApiFailure) || err.status === 0 || err.status >= 500
}
