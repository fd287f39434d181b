import type { AddedPlaces } from '@server/prospecting/add-schema.ts'
import type { FoundPlaces, PlaceSource } from '@server/prospecting/schema.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiFailure } from '../api/client.ts'
import { announce } from '../app/announce.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { count } from '../ui/format.ts'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { AddBar } from './add-bar.tsx'
import { Added } from './added.tsx'
import { PlaceList } from './place-list.tsx'
import { foundSentence, nothingSentence } from './place-words.ts'
import { SourceAway } from './source-away.tsx'
import type { PlaceSearch } from './use-places.ts'
import type { Ticks } from './use-ticks.ts'

export interface PlaceResultsProps {
  source: PlaceSource
  /** Undefined before the first search. */
  asked: PlaceSearch | undefined
  found: UseQueryResult<FoundPlaces>
  ticks: Ticks
  active: string | null
  onActivate: (sourceId: string | null) => void
}

/** What was found, what is to be added of it, and what has been. */
export function PlaceResults(props: PlaceResultsProps) {
  const { source, asked, found, ticks } = props
  const [added, setAdded] = useState<AddedPlaces>()
  const [times, setTimes] = useState(0)
  const show = (next: AddedPlaces) => {
    setAdded(next)
    setTimes(times + 1)
  }
  return (
    <>
      {added ? <Added key={times} added={added} onClose={() => setAdded(undefined)} /> : null}
      <div className="prospecting-results">
        <Results {...props} />
      </div>
      {asked && ticks.ticked.size > 0 ? (
        <AddBar source={source} ticked={ticks.ticked} isDisabled={found.isPlaceholderData} onAdded={show} />
      ) : null}
    </>
  )
}

function Results({ asked, found, ticks, active, onActivate }: PlaceResultsProps) {
  const { data, error, isPlaceholderData: isStale } = found
  const again = () => void found.refetch()
  useAnnounced(asked, asked && data && !isStale ? foundWords(data, asked) : undefined)
  if (!asked) {
    return <p className="prospecting-hint">Choose an area and a kind of place, then search. Nothing is asked before.</p>
  }
  if (error && !data) return <NotFound failure={error} found={found} onRetry={again} />
  if (!data) return <SkeletonRows rows={8} label="Searching" onRetry={again} />
  const places = data.data
  if (places.length === 0) return <EmptyState title={nothingSentence(asked)} />
  const { open, ticked, tickAll } = ticks
  return (
    <>
      <div className="prospecting-found">
        {open.length === 0 ? null : (
          <Checkbox
            isSelected={ticked.size === open.length}
            isIndeterminate={ticked.size > 0 && ticked.size < open.length}
            isDisabled={isStale}
            onChange={tickAll}
          >
            Select all {count(open.length)}
          </Checkbox>
        )}
        <p className="secondary">{foundWords(data, asked)}</p>
      </div>
      <PlaceList places={places} ticks={ticks} active={active} onActivate={onActivate} isStale={isStale} />
    </>
  )
}

interface NotFoundProps {
  failure: unknown
  found: UseQueryResult<FoundPlaces>
  onRetry: () => void
}

function NotFound({ failure, found, onRetry }: NotFoundProps) {
  const [fault] = failure instanceof ApiFailure && failure.status === 422 ? failure.details : []
  if (fault) {
    return (
      <div role="alert">
        <EmptyState title={fault.message} />
      </div>
    )
  }
  if (failure instanceof ApiFailure && failure.code === 'unavailable') {
    return <SourceAway failure={failure} atMs={found.errorUpdatedAt} isPending={found.isFetching} onRetry={onRetry} />
  }
  return <ErrorState title="The places could not be searched." failure={failure} onRetry={onRetry} />
}

function foundWords({ data: places, meta }: FoundPlaces, asked: PlaceSearch): string {
  if (places.length === 0) return nothingSentence(asked)
  const known = places.filter(({ contact }) => contact !== null).length
  const more = meta.is_cut ? ` The nearest of ${count(meta.count)}: zoom in to see the others.` : ''
  return foundSentence(places.length, known) + more
}

/** Reads aloud what a search has come to, once; what changes in it later is not news. */
function useAnnounced(asked: PlaceSearch | undefined, words: string | undefined): void {
  const announced = useRef<PlaceSearch>(undefined)
  useEffect(() => {
    if (words === undefined || announced.current === asked) return
    announced.current = asked
    announce(words)
  }, [asked, words])
}
