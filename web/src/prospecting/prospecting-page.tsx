import './prospecting.css'
import type { FoundPlace, PlaceSource } from '@server/prospecting/schema.ts'
import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import { ErrorState } from '../ui/error-state.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { boxText } from './area.ts'
import { AreaFields } from './area-fields.tsx'
import { Attribution, CreditLine } from './attribution.tsx'
import { PlacesMap } from './map/places-map.tsx'
import { NoSource } from './no-source.tsx'
import { OwnContactsBar } from './own-contacts-bar.tsx'
import { PlaceResults } from './place-results.tsx'
import { type ProspectingSearch, searchedBox, viewIn, viewSearch } from './prospecting-search.ts'
import { SearchForm } from './search-form.tsx'
import { SourceBar } from './source-bar.tsx'
import { useArea } from './use-area.ts'
import { useOwnContacts } from './use-own-contacts.ts'
import { type PlaceSearch, useFoundPlaces, usePlaceSources } from './use-places.ts'
import { useTicks } from './use-ticks.ts'

const OwnSelection = lazy(() => import('./own-selection.tsx').then((module) => ({ default: module.OwnSelection })))

const PATH = '/prospecting'
const route = getRouteApi('/shell/prospecting')

/** Finds businesses in an area and adds them as contacts. Its address holds what it shows. */
export function ProspectingPage() {
  const { data, error, refetch } = usePlaceSources()
  return (
    <div className="page-fill prospecting">
      <PageHeader title="Prospecting" />
      {data ? (
        <Prospecting sources={data.data} />
      ) : error ? (
        <ErrorState title="The places could not be loaded." failure={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows rows={8} label="Loading sources of places" onRetry={() => void refetch()} />
      )}
    </div>
  )
}

const NO_PLACES: FoundPlace[] = []

function Prospecting({ sources }: { sources: PlaceSource[] }) {
  const search = route.useSearch()
  const source = sources.find(({ id }) => id === search.source) ?? sources[0]
  const area = useArea({ view: viewIn(search), box: searchedBox(search) }, source)
  const change = useChange()
  const { view } = area
  useEffect(() => {
    if (view) change(viewSearch(view))
  }, [view, change])

  const asked = useAsked(search, source)
  const found = useFoundPlaces(asked)
  const places = asked ? (found.data?.data ?? NO_PLACES) : NO_PLACES
  const ticks = useTicks(places, JSON.stringify(asked))
  const [active, setActive] = useState<string | null>(null)
  const own = useOwnContacts(search.contacts ? area.box : undefined)

  const choose = (next: PlaceSource) => {
    change({ source: next.id, box: undefined })
    area.goToSource(next)
  }
  const look = (category: ProspectingSearch['category'], text: string | undefined) => {
    if (!area.box || !source) return
    const next = { source: source.id, category, text, box: boxText(area.box) }
    const isSame = Object.entries(next).every(([key, value]) => search[key as keyof typeof next] === value)
    if (isSame) void found.refetch()
    else change(next)
  }
  return (
    <>
      <div className="prospecting-panes">
        <section className="prospecting-list" aria-label="Search">
          {source ? (
            <>
              <SourceBar sources={sources} source={source} onSource={choose} />
              <AreaFields area={area} />
              <SearchForm key={source.id} initial={search} onSearch={look} isPending={found.isFetching} />
              <PlaceResults
                asked={asked}
                found={found}
                ticks={ticks}
                active={active}
                onActivate={setActive}
                source={source}
              />
              <Attribution source={source} />
            </>
          ) : (
            <NoSource onSource={choose} />
          )}
        </section>
        <section className="prospecting-map" aria-label="Map">
          <OwnContactsBar
            isOn={search.contacts === true}
            onChange={(isOn) => change({ contacts: isOn || undefined })}
            own={own}
          />
          {view ? (
            <PlacesMap
              view={view}
              onMove={area.onMove}
              places={places}
              ticked={ticks.ticked}
              active={active}
              onActivate={setActive}
              onTick={ticks.toggle}
              contacts={own.contacts}
              onSelectContacts={own.select}
              searched={asked?.box ?? null}
              attribution={source ? <CreditLine source={source} /> : null}
            />
          ) : (
            <div className="prospecting-map-place" />
          )}
        </section>
      </div>
      <Suspense>{own.selected.size === 0 ? null : <OwnSelection own={own} />}</Suspense>
    </>
  )
}

/** What the address says has been searched for. */
function useAsked({ box, category, text }: ProspectingSearch, source: PlaceSource | undefined) {
  const sourceId = source?.id
  return useMemo((): PlaceSearch | undefined => {
    const searched = searchedBox({ box })
    return searched && sourceId !== undefined ? { source: sourceId, box: searched, category, text } : undefined
  }, [box, category, text, sourceId])
}

function useChange() {
  const navigate = useNavigate()
  const { history } = useRouter()
  return useCallback(
    (part: Partial<ProspectingSearch>) => {
      // The map may say where it is while one is already on the way to another page.
      if (history.location.pathname !== PATH) return
      void navigate({
        to: PATH,
        search: (before: ProspectingSearch) => ({ ...before, ...part }),
        replace: true,
        resetScroll: false,
      })
    },
    [navigate, history],
  )
}
