import type { OpenedLink } from '@server/members/schema.ts'
import { useEffect, useState } from 'react'
import { ApiFailure, post } from '../api/client.ts'

export type LinkState =
  | { is: 'opening' }
  | { is: 'open'; token: string; link: OpenedLink }
  | { is: 'gone' }
  | { is: 'failed'; failure: unknown }

/**
 * Opens the one-time link that led to this page. Its token stands behind `#`, and is taken out of the address at once:
 * nobody who looks over a shoulder or into the history finds it there.
 */
export function useOneTimeLink(kind: OpenedLink['kind']): LinkState {
  const [token] = useState(takenToken)
  const [state, setState] = useState<LinkState>({ is: 'opening' })
  useEffect(() => {
    const stop = new AbortController()
    post<OpenedLink>('/links/open', { token: token || '-' }, { signal: stop.signal })
      .then((link) => setState(link.kind === kind ? { is: 'open', token, link } : { is: 'gone' }))
      .catch((failure) => {
        if (stop.signal.aborted) return
        const isGone = failure instanceof ApiFailure && (failure.status === 404 || failure.status === 422)
        setState(isGone ? { is: 'gone' } : { is: 'failed', failure })
      })
    return () => stop.abort()
  }, [token, kind])
  return state
}

function takenToken(): string {
  const token = window.location.hash.slice(1)
  window.history.replaceState(window.history.state, '', window.location.pathname)
  return token
}
