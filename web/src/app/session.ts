/** Who is signed in, and what every page needs of their org: asked for once, then kept fresh by the live stream. */
import type { OpenSession } from '@server/sessions/schema.ts'
import { queryOptions } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { get } from '../api/client.ts'
import { queryClient } from '../api/query.ts'
import { type StageColour, stageColour } from '../ui/stage-colours.ts'

export type Session = OpenSession

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => get<Session>('/session', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

export interface SessionValue {
  session: Session | undefined
  stageColours: Map<string, StageColour>
  labelColours: Map<string, StageColour>
}

export const NO_SESSION: SessionValue = { session: undefined, stageColours: new Map(), labelColours: new Map() }

export const SessionContext = createContext<SessionValue>(NO_SESSION)

export function sessionValue(session: Session | undefined): SessionValue {
  if (!session) return NO_SESSION
  return { session, stageColours: coloursOf(session.stages), labelColours: coloursOf(session.labels) }
}

/** @throws Error outside of the shell, where nobody need be signed in */
export function useSession(): Session {
  // The router shows the shell as soon as the answer is there, which may be before the context has heard of it.
  const session = useContext(SessionContext).session ?? queryClient.getQueryData(sessionQuery.queryKey)
  if (!session) throw new Error('Nobody is signed in here.')
  return session
}

export function useIsAdmin(): boolean {
  return useContext(SessionContext).session?.member.role === 'admin'
}

export function useAdmins(): string[] {
  return useContext(SessionContext).session?.admins ?? []
}

export function useCurrency(): string {
  return useContext(SessionContext).session?.org.currency ?? 'EUR'
}

/** With `/api/v1`, without a slash at its end. */
export function useApiUrl(): string {
  const { session } = useContext(SessionContext)
  return session?.api_url ?? `${window.location.origin}/api/v1`
}

/** A stage that the pipeline does not list is grey. */
export function useStageColour(stage: string): StageColour {
  return useContext(SessionContext).stageColours.get(stage) ?? 'lead'
}

export function useLabelColour(label: string): StageColour {
  return useContext(SessionContext).labelColours.get(label) ?? 'lead'
}

function coloursOf(named: { name: string; color?: string | null }[]): Map<string, StageColour> {
  return new Map(named.map(({ name, color }) => [name, stageColour(color)]))
}
