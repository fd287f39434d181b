import type { MapContact } from '@server/prospecting/add-schema.ts'
import type { FoundPlace } from '@server/prospecting/schema.ts'
import { IconCheck, IconUserFilled } from '@tabler/icons-react'
import { useMemo } from 'react'
import { count } from '../../ui/format.ts'
import { stageCounts } from './stage-counts.ts'
import { useToneOf } from './use-engine.ts'

/** What the marks mean: those alone that there are. */
export function MapLegend({ places, contacts }: { places: FoundPlace[]; contacts: MapContact[] }) {
  const toneOf = useToneOf()
  const stages = useMemo(() => stageCounts(contacts), [contacts])
  if (places.length === 0 && contacts.length === 0) return null
  const hasKnown = places.some(({ contact }) => contact !== null)
  return (
    <ul className="map-legend" aria-label="Marks on the map">
      {places.length > 0 ? (
        <>
          <li>
            <i className="map-mark map-mark-found" />
            Found
          </li>
          <li>
            <i className="map-mark map-mark-ticked">
              <IconCheck stroke={3} />
            </i>
            To be added
          </li>
        </>
      ) : null}
      {hasKnown ? (
        <li>
          <i className="map-mark map-mark-contact">
            <IconUserFilled />
          </i>
          Already a contact
        </li>
      ) : null}
      {stages.map(({ stage, contacts }) => (
        <li key={stage ?? ''}>
          <i className="map-mark map-mark-own" style={{ background: `var(--${toneOf(stage)}-bar)` }} />
          {stage ?? 'No stage'} <span className="tabular">{count(contacts)}</span>
        </li>
      ))}
    </ul>
  )
}
