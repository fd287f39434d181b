import type { FoundPlace } from '@server/prospecting/schema.ts'
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { announce } from '../../app/announce.ts'
import { counted } from '../../ui/format.ts'
import { OuterLink } from '../../ui/link.tsx'
import { type AttributionPart, attributionParts, WORLD_ATTRIBUTION } from './attribution-parts.ts'
import { ContactCard, Pin, PlaceCard } from './map-card.tsx'
import type { Hit, PlacesMapEngine } from './map-engine.ts'
import { MapLegend } from './map-legend.tsx'
import { MapTools } from './map-tools.tsx'
import { contactName, placeState } from './overlay.ts'
import type { PlacesMapProps } from './places-map.tsx'
import { scaleAt } from './scale.ts'
import type { Point } from './selection.ts'
import { type Tool, useDrawing } from './use-drawing.ts'
import { useEngine } from './use-engine.ts'

const SCALE_PX_MAX = 120

export function MapCanvas(props: PlacesMapProps & { onFault: () => void }) {
  const { view, places, ticked, active, contacts, onActivate, onTick, onSelectContacts, attribution } = props
  const frame = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLDivElement>(null)
  const [tool, setTool] = useState<Tool | null>(null)
  const [hovered, setHovered] = useState<Hit | null>(null)
  const [openContact, setOpenContact] = useState<string | null>(null)
  const { engine, isIdle, failure, onFrame } = useEngine(canvas, { ...props, onClick: click, onHover: setHovered })
  const { line, begin } = useDrawing(frame, (drawn) => {
    engine?.setDragging(true)
    setTool(null)
    if (drawn) select(drawn)
  })
  const place = places.find(({ source_id }) => source_id === active)
  const contact = contacts.find(({ id }) => id === openContact)
  useEffect(() => {
    if (engine && place) engine.reveal(place)
  }, [engine, place])

  function click(hit: Hit | null) {
    setOpenContact(hit?.kind === 'contact' ? hit.id : null)
    if (hit?.kind !== 'place') onActivate(null)
    else if (hit.id !== active) onActivate(hit.id)
    else if (places.some(({ source_id, contact }) => source_id === active && contact === null)) onTick(hit.id)
  }

  function select(around?: Point[]) {
    const inside = engine!.inside(around)
    const ids = new Set(inside.places)
    const open = places.filter(({ source_id, contact }) => contact === null && ids.has(source_id))
    for (const { source_id } of open) if (!ticked.has(source_id)) onTick(source_id)
    if (contacts.length > 0) onSelectContacts(inside.contacts)
    announce(selectionSentence(open.length, inside.contacts.length))
  }

  function draw(event: PointerEvent, one: Tool) {
    engine?.setDragging(false)
    begin(event, one)
  }

  function leave(event: KeyboardEvent) {
    if (event.key !== 'Escape' || !(tool || place || contact)) return
    event.stopPropagation()
    if (tool) return setTool(null)
    setOpenContact(null)
    onActivate(null)
  }

  const scale = scaleAt(view, SCALE_PX_MAX)
  const isHinted = hovered && !(hovered.kind === 'place' && hovered.id === active)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc leaves what is open inside, wherever the focus is in it.
    <div className="map" data-state={isIdle ? 'idle' : 'busy'} onKeyDown={leave}>
      <div
        className="map-frame"
        ref={frame}
        onPointerDownCapture={(event) => {
          const isOnMap = event.target instanceof HTMLCanvasElement
          if (isOnMap && event.shiftKey && event.button === 0) draw(event, 'box')
        }}
      >
        <div className="map-canvas" ref={canvas} />
        {tool ? (
          <div className="map-drawing-ground" onPointerDown={(event) => event.button === 0 && draw(event, tool)} />
        ) : null}
        {line.length > 1 ? (
          <svg className="map-drawing" aria-hidden="true">
            <polygon points={line.map((point) => point.join()).join(' ')} />
          </svg>
        ) : null}
        {engine && isHinted ? <Hint {...{ engine, onFrame, hovered, places, ticked, contacts }} /> : null}
        {engine && place ? (
          <Pin {...{ engine, onFrame, place }} className="map-card" abovePx={26} isKept>
            <PlaceCard
              place={place}
              isTicked={ticked.has(place.source_id)}
              onTick={() => onTick(place.source_id)}
              onClose={() => onActivate(null)}
            />
          </Pin>
        ) : engine && contact ? (
          <Pin {...{ engine, onFrame }} place={contact} className="map-card" abovePx={26} isKept>
            <ContactCard contact={contact} onClose={() => setOpenContact(null)} />
          </Pin>
        ) : null}
        <MapTools
          tool={tool}
          onTool={setTool}
          onZoom={(steps) => engine?.zoomBy(steps)}
          onSelectAll={() => select()}
          isSelectable={engine !== undefined && places.length + contacts.length > 0}
        />
        <div className="map-scale" style={{ width: scale.px }}>
          {scale.text}
        </div>
        {tool ? (
          <p className="map-help" role="status">
            {tool === 'box' ? 'Draw a box over what you want.' : 'Draw around what you want.'} Esc ends it.
          </p>
        ) : failure ? (
          <p className="map-help" role="status">
            {failure}
          </p>
        ) : null}
      </div>
      <MapLegend places={places} contacts={contacts} />
      <div className="map-attribution">
        {attribution}
        <BackgroundAttribution engine={engine} isIdle={isIdle} />
      </div>
    </div>
  )
}

interface HintProps extends Pick<PlacesMapProps, 'places' | 'ticked' | 'contacts'> {
  engine: PlacesMapEngine
  onFrame: (listener: () => void) => () => void
  hovered: Hit
}

/** What the mark under the pointer is. */
function Hint({ engine, onFrame, hovered, places, ticked, contacts }: HintProps) {
  if (hovered.kind === 'cluster') {
    return (
      <Pin {...{ engine, onFrame }} place={hovered.at} className="map-hint" abovePx={16}>
        {counted(hovered.count, 'place')}
      </Pin>
    )
  }
  if (hovered.kind === 'place') {
    const place = places.find(({ source_id }) => source_id === hovered.id)
    if (!place) return null
    return (
      <Pin {...{ engine, onFrame, place }} className="map-hint" abovePx={16}>
        {place.name}
        {stateText(place, ticked)}
      </Pin>
    )
  }
  const contact = contacts.find(({ id }) => id === hovered.id)
  if (!contact) return null
  return (
    <Pin {...{ engine, onFrame }} place={contact} className="map-hint" abovePx={16}>
      {contactName(contact)} · {contact.deal_stage ?? 'no stage'}
    </Pin>
  )
}

function stateText(place: FoundPlace, ticked: ReadonlySet<string>): string {
  return { found: '', ticked: ' · to be added', contact: ' · already a contact' }[placeState(place, ticked)]
}

/** In text, always: it is what its makers ask for. */
function BackgroundAttribution({ engine, isIdle }: { engine: PlacesMapEngine | undefined; isIdle: boolean }) {
  const [parts, setParts] = useState<(AttributionPart & { key: string })[]>([])
  useEffect(() => {
    // Sources of tiles tell theirs when they have been loaded.
    if (!engine || !isIdle) return
    const own = engine.isWorld ? [WORLD_ATTRIBUTION] : engine.attributions().map(attributionParts)
    const parts = own.flatMap((one, at) => (at === 0 ? one : [{ text: ' · ' }, ...one]))
    setParts(parts.map((part, at) => ({ ...part, key: String(at) })))
  }, [engine, isIdle])
  if (parts.length === 0) return null
  return (
    <p>
      Map:{' '}
      {parts.map(({ key, text, href }) =>
        href ? (
          <OuterLink key={key} href={href}>
            {text}
          </OuterLink>
        ) : (
          <span key={key}>{text}</span>
        ),
      )}
    </p>
  )
}

/** "12 places ticked, 3 contacts selected." */
function selectionSentence(places: number, contacts: number): string {
  const parts = [
    places > 0 && `${counted(places, 'place')} ticked`,
    contacts > 0 && `${counted(contacts, 'contact')} selected`,
  ].filter(Boolean)
  return parts.length === 0 ? 'Nothing is there.' : `${parts.join(', ')}.`
}
