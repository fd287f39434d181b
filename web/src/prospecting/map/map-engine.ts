/** The map itself: MapLibre, told what to show, telling what is done to it. Knows nothing of React. */
import type { MapContact } from '@server/prospecting/add-schema.ts'
import type { Box, FoundPlace } from '@server/prospecting/schema.ts'
import type { Point } from 'geojson'
import {
  type GeoJSONSource,
  type LayerSpecification,
  type MapGeoJSONFeature,
  Map as MapLibre,
  type MapMouseEvent,
  setWorkerUrl,
} from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import type { StageColour } from '../../ui/stage-colours.ts'
import type { MapView } from '../area.ts'
import { type Background, builtInWorld, fillWorld } from './background.ts'
import { graticule } from './graticule.ts'
import { drawIcon, ICON_RATIO } from './icons.ts'
import type { MapColours } from './map-colours.ts'
import { boxFeatures, contactFeatures, LAYERS, overlayLayers, placeFeatures, SOURCES, withOverlay } from './overlay.ts'
import { type Point as Pixel, within } from './selection.ts'

setWorkerUrl(workerUrl)

const ZOOM_MAX = 20
/** How far beside a mark a click still means it. */
const MISS_PX = 5
/** Differences of a view that nobody can see. */
const DEGREES_SAME = 1e-5
const ZOOM_SAME = 0.01
const LATITUDE_MAX = 85

export interface MapOptions {
  container: HTMLElement
  background: Background
  colours: MapColours
  view: MapView
  reducedMotion: boolean
  events: MapEvents
}

export interface MapEvents {
  /** It has come to rest, and shows this. */
  onMove(view: MapView, box: Box): void
  /** A mark was clicked, or nothing was. */
  onClick(hit: Hit | null): void
  onHover(hit: Hit | null): void
  /** What is pinned to a place on the map has to follow it. */
  onFrame(): void
  /** The background is no style that can be drawn: the built-in world stands in. */
  onUnusable(): void
  /** All is drawn that is to be drawn; or it is not any more. */
  onIdle(isIdle: boolean): void
}

/** What lies under the pointer. */
export type Hit = { kind: 'place' | 'contact'; id: string } | { kind: 'cluster'; id: number; count: number; at: Place }

interface Place {
  latitude: number
  longitude: number
}

export class PlacesMapEngine {
  readonly #map: MapLibre
  #background: Background
  readonly #events: MapEvents
  #colours: MapColours
  #places: readonly FoundPlace[] = []
  #contacts: readonly MapContact[] = []
  #isReady: Promise<unknown>
  #hasStyle = false
  #isGone = false

  /** @throws GPUInitializationError where there is no WebGL */
  constructor({ container, background, colours, view, reducedMotion, events }: MapOptions) {
    this.#background = background
    this.#events = events
    this.#colours = colours
    const map = new MapLibre({
      container,
      style: withOverlay(background.style, colours),
      center: [view.longitude, view.latitude],
      zoom: view.zoom,
      maxZoom: ZOOM_MAX,
      attributionControl: false,
      boxZoom: false,
      dragRotate: false,
      pitchWithRotate: false,
      touchPitch: false,
      maxPitch: 0,
      rollEnabled: false,
      fadeDuration: reducedMotion ? 0 : 150,
      reduceMotion: reducedMotion,
      locale: { 'Map.Title': 'Map. Arrow keys move it, plus and minus zoom.' },
    })
    this.#map = map
    map.keyboard.disableRotation()
    map.touchZoomRotate.disableRotation()
    map.getCanvas().setAttribute('role', 'application')
    map.setMissingStyleImageResolver((id) => this.#addIcon(id))
    map.on('error', ({ error }) => this.#fail(error as Error))
    map.on('move', events.onFrame)
    map.on('moveend', () => this.#tellMove())
    map.on('click', (event) => this.#click(event))
    map.on('mousemove', (event) => this.#hover(this.#hitAt(event)))
    map.on('mouseout', () => this.#hover(null))
    map.on('idle', () => events.onIdle(true))
    map.on('render', () => events.onIdle(false))
    this.#isReady = map.once('style.load').then(() => {
      this.#hasStyle = true
      this.#drawGraticule()
      if (this.#background.isWorld) fillWorld(map).catch((error: Error) => this.#fail(error))
    })
    this.#tellMove()
  }

  get isWorld(): boolean {
    return this.#background.isWorld
  }

  remove(): void {
    this.#isGone = true
    this.#map.remove()
  }

  /** @param ticked ids of places */
  async showPlaces(places: readonly FoundPlace[], ticked: ReadonlySet<string>, active: string | null): Promise<void> {
    this.#places = places
    await this.#isReady
    const one = places.filter(({ source_id }) => source_id === active)
    this.#source(SOURCES.places).setData(placeFeatures(places, ticked))
    this.#source(SOURCES.active).setData(placeFeatures(one, ticked))
  }

  async showContacts(contacts: readonly MapContact[], toneOf: (stage: string | null) => StageColour): Promise<void> {
    this.#contacts = contacts
    await this.#isReady
    this.#source(SOURCES.contacts).setData(contactFeatures(contacts, toneOf))
  }

  async showSearched(box: Box | null): Promise<void> {
    await this.#isReady
    this.#source(SOURCES.searched).setData(boxFeatures(box))
  }

  async recolour(colours: MapColours): Promise<void> {
    await this.#isReady
    this.#colours = colours
    const layers = [...(this.#background.recoloured(colours)?.layers ?? []), ...overlayLayers(colours)]
    for (const layer of layers) this.#repaint(layer)
    for (const id of this.#map.listImages()) {
      const drawn = drawIcon(id, colours)
      if (drawn) this.#map.updateImage(id, drawn)
    }
  }

  /** Goes there, unless it is there. */
  goTo({ latitude, longitude, zoom }: MapView): void {
    const { lat, lng } = this.#map.getCenter()
    const isThere = Math.abs(lat - latitude) < DEGREES_SAME && Math.abs(lng - longitude) < DEGREES_SAME
    if (isThere && Math.abs(this.#map.getZoom() - zoom) < ZOOM_SAME) return
    this.#map.jumpTo({ center: [longitude, latitude], zoom })
  }

  zoomBy(steps: number): void {
    this.#map.easeTo({ zoom: this.#map.getZoom() + steps, duration: 150 })
  }

  /** Nearer to a mark of several places, until it comes apart. */
  async open({ id, at }: Extract<Hit, { kind: 'cluster' }>): Promise<void> {
    const zoom = await this.#source(SOURCES.places).getClusterExpansionZoom(id)
    this.#map.easeTo({ center: [at.longitude, at.latitude], zoom: zoom + 0.1, duration: 200 })
  }

  /** Moves a place into view that is out of it. */
  reveal(place: Place): void {
    const [x, y] = this.project(place)
    const { clientWidth, clientHeight } = this.#map.getContainer()
    const isSeen = x > EDGE_PX && y > EDGE_PX && x < clientWidth - EDGE_PX && y < clientHeight - EDGE_PX
    if (!isSeen) this.#map.easeTo({ center: [place.longitude, place.latitude], duration: 200 })
  }

  /** Where on the map it is drawn, in pixels. */
  project({ latitude, longitude }: Place): Pixel {
    const { x, y } = this.#map.project([longitude, latitude])
    return [x, y]
  }

  /** Dragging moves the map, or draws. */
  setDragging(moves: boolean): void {
    if (moves) this.#map.dragPan.enable()
    else this.#map.dragPan.disable()
  }

  /** The ids of what a line takes in; of all that is in view without one. */
  inside(line?: readonly Pixel[]): { places: string[]; contacts: string[] } {
    const { clientWidth, clientHeight } = this.#map.getContainer()
    const around = line ?? [
      [0, 0],
      [clientWidth, 0],
      [clientWidth, clientHeight],
      [0, clientHeight],
    ]
    const project = (one: Place) => this.project(one)
    return {
      places: within(this.#places, around, project).map(({ source_id }) => source_id),
      contacts: within(this.#contacts, around, project).map(({ id }) => id),
    }
  }

  /** Who has made the background, as its sources say it: HTML of theirs. */
  attributions(): string[] {
    const sources = Object.keys(this.#map.getStyle().sources).map((id) => this.#map.getSource(id))
    return [...new Set(sources.flatMap((source) => source?.attribution || []))]
  }

  /** A style with faults is never there; a tile that does not come leaves a hole. */
  #fail(error: Error): void {
    if (this.#isGone) return
    console.warn('The map:', error.message)
    if (this.#hasStyle || this.#background.isWorld) return
    this.#background = builtInWorld(this.#colours)
    this.#map.setStyle(withOverlay(this.#background.style, this.#colours), { diff: false })
    this.#events.onUnusable()
  }

  #source(id: string): GeoJSONSource {
    return this.#map.getSource<GeoJSONSource>(id)!
  }

  #tellMove(): void {
    const { lat, lng } = this.#map.getCenter()
    this.#drawGraticule()
    this.#events.onMove({ latitude: lat, longitude: lng, zoom: this.#map.getZoom() }, this.#box())
  }

  #box(): Box {
    const bounds = this.#map.getBounds()
    return {
      south: Math.max(bounds.getSouth(), -LATITUDE_MAX),
      west: Math.max(bounds.getWest(), -180),
      north: Math.min(bounds.getNorth(), LATITUDE_MAX),
      east: Math.min(bounds.getEast(), 180),
    }
  }

  #drawGraticule(): void {
    if (!this.#background.isWorld) return
    this.#map.getSource<GeoJSONSource>('graticule')?.setData(graticule(this.#box(), this.#map.getZoom()))
  }

  #addIcon(id: string): void {
    const drawn = drawIcon(id, this.#colours)
    if (drawn && !this.#map.hasImage(id)) this.#map.addImage(id, drawn, { pixelRatio: ICON_RATIO })
  }

  #repaint({ id, ...layer }: LayerSpecification): void {
    if (!this.#map.getLayer(id)) return
    for (const [name, value] of Object.entries(layer.paint ?? {}))
      this.#map.setPaintProperty(id, name as never, value as never)
  }

  #click(event: MapMouseEvent): void {
    const hit = this.#hitAt(event)
    if (hit?.kind === 'cluster') void this.open(hit)
    else this.#events.onClick(hit)
  }

  #hover(hit: Hit | null): void {
    this.#map.getCanvas().style.cursor = hit ? 'pointer' : ''
    this.#events.onHover(hit)
  }

  #hitAt({ point: { x, y } }: MapMouseEvent): Hit | null {
    const around: [[number, number], [number, number]] = [
      [x - MISS_PX, y - MISS_PX],
      [x + MISS_PX, y + MISS_PX],
    ]
    const layers = MARKS.filter((id) => this.#map.getLayer(id))
    const [found] = this.#map.queryRenderedFeatures(around, { layers })
    return found ? hitOf(found) : null
  }
}

const MARKS = [LAYERS.active, LAYERS.places, LAYERS.clusters, LAYERS.contacts]

/** What is nearer to the edge is moved into view. */
const EDGE_PX = 24

function hitOf({ layer, properties, geometry }: MapGeoJSONFeature): Hit {
  if (layer.id === LAYERS.contacts) return { kind: 'contact', id: properties.id }
  if (layer.id !== LAYERS.clusters) return { kind: 'place', id: properties.id }
  const [longitude, latitude] = (geometry as Point).coordinates as [number, number]
  return { kind: 'cluster', id: properties.cluster_id, count: properties.point_count, at: { latitude, longitude } }
}
