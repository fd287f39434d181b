import type { MapContact } from '@server/prospecting/add-schema.ts'
import type { FoundPlace } from '@server/prospecting/schema.ts'
import { IconX } from '@tabler/icons-react'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { Checkbox } from '../../ui/checkbox.tsx'
import { StageChip } from '../../ui/chip.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Link } from '../../ui/link.tsx'
import { kindText, REASON_WORDS } from '../place-words.ts'
import type { PlacesMapEngine } from './map-engine.ts'
import { contactName } from './overlay.ts'
import type { RunningEngine } from './use-engine.ts'

export interface PinProps {
  engine: PlacesMapEngine
  onFrame: RunningEngine['onFrame']
  place: { latitude: number; longitude: number }
  /** From the place to its lower edge; where there is no room above, it stands as far below. */
  abovePx: number
  /** It is moved aside to be seen whole, beside the tools. */
  isKept?: boolean
  className: string
  children: ReactNode
}

const TOOLS_PX = 68
const EDGE_PX = 8

/** Stays at its place while the map is moved. */
export function Pin({ engine, onFrame, place, abovePx, isKept = false, className, children }: PinProps) {
  const pin = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const put = () => {
      const [x, y] = engine.project(place)
      const { offsetParent, firstElementChild } = pin.current!
      const { offsetWidth, offsetHeight } = firstElementChild as HTMLElement
      const leftMax = (offsetParent?.clientWidth ?? 0) - TOOLS_PX - offsetWidth
      const left = isKept ? Math.max(EDGE_PX, Math.min(x - offsetWidth / 2, leftMax)) : x - offsetWidth / 2
      const above = y - abovePx - offsetHeight
      const top = above < EDGE_PX ? y + abovePx : above
      pin.current!.style.translate = `${Math.round(left)}px ${Math.round(top)}px`
    }
    put()
    return onFrame(put)
  }, [engine, onFrame, place, abovePx, isKept])
  return (
    <div ref={pin} className="map-pin">
      <div className={className}>{children}</div>
    </div>
  )
}

export interface PlaceCardProps {
  place: FoundPlace
  isTicked: boolean
  onTick: () => void
  onClose: () => void
}

export function PlaceCard({ place, isTicked, onTick, onClose }: PlaceCardProps) {
  const { name, contact, address } = place
  return (
    <Card title={name} onClose={onClose}>
      <p className="secondary">{[kindText(place), address].filter(Boolean).join(' · ')}</p>
      {contact ? (
        <p>
          Already a contact:{' '}
          <Link to="/contacts/$id" params={{ id: contact.id }}>
            {contact.name || 'No name'}
          </Link>{' '}
          <span className="secondary">({REASON_WORDS[contact.reason]})</span>
        </p>
      ) : (
        <Checkbox isSelected={isTicked} onChange={onTick}>
          Add this place
        </Checkbox>
      )}
    </Card>
  )
}

export function ContactCard({ contact, onClose }: { contact: MapContact; onClose: () => void }) {
  const { id, full_name, company, deal_stage } = contact
  return (
    <Card title={contactName(contact)} onClose={onClose}>
      {full_name && company ? <p className="secondary">{company}</p> : null}
      {deal_stage ? <StageChip stage={deal_stage} /> : <p className="secondary">No stage</p>}
      <Link to="/contacts/$id" params={{ id }}>
        Open contact
      </Link>
    </Card>
  )
}

function Card({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  return (
    <section className="map-card-content" aria-label={title}>
      <div className="map-card-head">
        <p className="map-card-title">{title}</p>
        <IconButton label="Close" isSmall onPress={onClose}>
          <IconX />
        </IconButton>
      </div>
      {children}
    </section>
  )
}
