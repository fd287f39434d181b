/** What stands in place of a page. */
import type { ErrorComponentProps } from '@tanstack/react-router'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { LinkButton } from '../ui/link.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { usePageHeading } from './page-heading.ts'

export function PagePending() {
  return <SkeletonRows rows={8} label="Loading the page" />
}

export function PageFailure({ error }: ErrorComponentProps) {
  const heading = usePageHeading('Not loaded')
  return (
    <>
      <h1 className="visually-hidden" ref={heading} tabIndex={-1}>
        Not loaded
      </h1>
      <ErrorState title="This page could not be loaded." failure={error} onRetry={() => window.location.reload()} />
    </>
  )
}

export function PageNotFound() {
  const heading = usePageHeading('Page not found')
  return (
    <main id="content">
      <h1 className="visually-hidden" ref={heading} tabIndex={-1}>
        Page not found
      </h1>
      <EmptyState
        title="There is no such page."
        actions={
          <LinkButton to="/contacts" variant="primary">
            Go to contacts
          </LinkButton>
        }
      >
        The address may be old or mistyped.
      </EmptyState>
    </main>
  )
}
