import type { Activities } from '@server/activities/schema.ts'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { Button } from '../ui/button.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { ActivityEntry } from './activity-entry.tsx'
import { activitiesQuery, contactPageQuery } from './contact-query.ts'
import { dayGroups } from './day-groups.ts'
import { NoteComposer } from './note-composer.tsx'

export interface ActivityTabProps {
  /** Of the contact. */
  id: string
  /** The newest, as they came with the page. */
  first: Activities | undefined
  /** Why they did not come. */
  failure: unknown
  onRetry: () => void
  composer: RefObject<HTMLTextAreaElement | null>
}

/** What has happened with a contact, by days, and what people add to it. */
export function ActivityTab({ id, first, failure, onRetry, composer }: ActivityTabProps) {
  return (
    <div className="activity">
      <NoteComposer contactId={id} inputRef={composer} />
      {first ? (
        <History id={id} first={first} />
      ) : failure ? (
        <ErrorState title="The activity could not be loaded." failure={failure} onRetry={onRetry} />
      ) : (
        <SkeletonRows rows={4} label="Loading the activity" onRetry={onRetry} />
      )}
    </div>
  )
}

function History({ id, first }: { id: string; first: Activities }) {
  const page = useQueryClient().getQueryState(contactPageQuery(id).queryKey)
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    ...activitiesQuery(id),
    initialData: { pages: [first], pageParams: [undefined] },
    // As old as the page that it came with; what has changed since is asked for at once.
    initialDataUpdatedAt: page && !page.isInvalidated ? page.dataUpdatedAt : 0,
  })
  if (error && !data) {
    return <ErrorState title="The activity could not be loaded." failure={error} onRetry={() => void refetch()} />
  }
  const lines = data.pages.flatMap((page) => page.data)
  if (lines.length === 0) return <p className="secondary">Nothing yet. Notes, calls and changes appear here.</p>
  return (
    <>
      {dayGroups(lines).map(({ title, lines: ofDay }) => (
        <section key={title} aria-label={title} className="activity-day">
          <h2>{title}</h2>
          <ul>
            {ofDay.map((line) => (
              <li key={line.id}>
                <ActivityEntry contactId={id} activity={line} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      {hasNextPage ? (
        <Button onPress={() => void fetchNextPage()} isPending={isFetchingNextPage}>
          Show older
        </Button>
      ) : null}
    </>
  )
}
