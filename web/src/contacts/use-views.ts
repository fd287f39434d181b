import { useSession } from '../app/session.ts'
import type { View } from './list-query.ts'

/** The saved views of the org. */
export function useViews(): readonly View[] {
  return useSession().views
}
