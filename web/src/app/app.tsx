import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { type ReactNode, useEffect, useMemo } from 'react'
import { I18nProvider, RouterProvider as LinkProvider } from 'react-aria-components'
import { queryClient } from '../api/query.ts'
import { ToastRegion } from '../ui/toast-region.tsx'
import { startAnnouncing } from './announce.ts'
import { router } from './routes.tsx'
import { SessionContext, sessionQuery, sessionValue } from './session.ts'

export function App() {
  useEffect(startAnnouncing, [])
  return (
    <QueryClientProvider client={queryClient}>
      <I18nProvider>
        <LinkProvider navigate={(href) => router.history.push(href)}>
          <SessionProvider>
            <RouterProvider router={router} />
          </SessionProvider>
          <ToastRegion />
        </LinkProvider>
      </I18nProvider>
    </QueryClientProvider>
  )
}

/** Only hands on what is known: the router asks for it, the shell keeps it fresh. */
function SessionProvider({ children }: { children: ReactNode }) {
  const { data } = useQuery({ ...sessionQuery, enabled: false })
  const value = useMemo(() => sessionValue(data), [data])
  return <SessionContext value={value}>{children}</SessionContext>
}
