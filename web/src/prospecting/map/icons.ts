/** The marks on the map, drawn by name: each state has a shape of its own, so that colour need not tell it. */
import type { StageColour } from '../../ui/stage-colours.ts'
import type { MapColours } from './map-colours.ts'

/** Pixels of the picture to a pixel of the page: sharp on most screens. */
export const ICON_RATIO = 2

/**
 * The picture of this name: `place-found`, `active-ticked`, `own-won`, `cluster-12-some`, `city`.
 *
 * @returns undefined when it is none of ours
 */
export function drawIcon(name: string, colours: MapColours): ImageData | undefined {
  const [kind, what = '', more] = name.split('-')
  if (kind === 'place') return drawn(22, (pen) => place(pen, what, colours, 8))
  if (kind === 'active') return drawn(38, (pen) => activePlace(pen, what, colours))
  if (kind === 'own') return drawn(18, (pen) => ownContact(pen, what as StageColour, colours))
  if (kind === 'cluster') return drawn(34 + 2 * what.length, (pen) => cluster(pen, what, more!, colours))
  if (kind === 'city') return drawn(7, (pen) => disc(pen, 2.2, colours['text-2'], colours['map-land'], 1))
  return undefined
}

type Pen = CanvasRenderingContext2D

/** A square picture whose middle is 0, 0. */
function drawn(sidePx: number, draw: (pen: Pen) => void): ImageData {
  const side = sidePx * ICON_RATIO
  const canvas = Object.assign(document.createElement('canvas'), { width: side, height: side })
  const pen = canvas.getContext('2d', { willReadFrequently: true })!
  pen.translate(side / 2, side / 2)
  pen.scale(ICON_RATIO, ICON_RATIO)
  pen.lineCap = 'round'
  pen.lineJoin = 'round'
  draw(pen)
  return pen.getImageData(0, 0, side, side)
}

/** Found: a ring. Ticked: a full disc with a tick. A contact already: a square with a person. */
function place(pen: Pen, state: string, colours: MapColours, radius: number): void {
  if (state === 'contact') {
    square(pen, radius, colours.ok, colours.bg)
    person(pen, radius / 8, colours.bg)
  } else if (state === 'ticked') {
    disc(pen, radius + 1, colours.fill, colours.bg, 1.5)
    tick(pen, radius / 8, colours['on-fill'])
  } else {
    disc(pen, radius - 1, colours.bg, colours.accent, 2.5)
    disc(pen, radius / 4, colours.accent)
  }
}

function activePlace(pen: Pen, state: string, colours: MapColours): void {
  disc(pen, 17, colours.bg, colours.focus, 2.5)
  place(pen, state, colours, 11)
}

/** A diamond in the colour of its stage. */
function ownContact(pen: Pen, tone: StageColour, colours: MapColours): void {
  pen.rotate(Math.PI / 4)
  square(pen, 5, colours[`${tone}-bar`], colours.bg)
}

/** A number in a ring; the ring is full when all are ticked, and broken when some are. */
function cluster(pen: Pen, text: string, ticked: string, colours: MapColours): void {
  const radius = 13 + text.length
  const isFull = ticked === 'all'
  disc(pen, radius, isFull ? colours.fill : colours.bg, isFull ? colours.bg : colours.accent, 2)
  if (ticked === 'some') {
    pen.setLineDash([5, 4])
    ring(pen, radius - 4, colours.accent, 2)
  }
  pen.fillStyle = isFull ? colours['on-fill'] : colours.text
  pen.font = '600 12px "Inter Variable", sans-serif'
  pen.textAlign = 'center'
  pen.textBaseline = 'middle'
  pen.fillText(text, 0, 0.5)
}

function disc(pen: Pen, radius: number, fill: string, edge?: string, edgePx = 0): void {
  pen.beginPath()
  pen.arc(0, 0, radius, 0, 2 * Math.PI)
  filled(pen, fill, edge, edgePx)
}

function ring(pen: Pen, radius: number, colour: string, px: number): void {
  pen.beginPath()
  pen.arc(0, 0, radius, 0, 2 * Math.PI)
  pen.strokeStyle = colour
  pen.lineWidth = px
  pen.stroke()
}

function square(pen: Pen, half: number, fill: string, edge: string): void {
  pen.beginPath()
  pen.roundRect(-half, -half, 2 * half, 2 * half, half / 3)
  filled(pen, fill, edge, 1.5)
}

function filled(pen: Pen, fill: string, edge: string | undefined, edgePx: number): void {
  pen.fillStyle = fill
  pen.fill()
  if (edge === undefined) return
  pen.strokeStyle = edge
  pen.lineWidth = edgePx
  pen.stroke()
}

function tick(pen: Pen, scale: number, colour: string): void {
  pen.beginPath()
  pen.moveTo(-3.6 * scale, 0.2 * scale)
  pen.lineTo(-1 * scale, 2.8 * scale)
  pen.lineTo(3.8 * scale, -2.8 * scale)
  pen.strokeStyle = colour
  pen.lineWidth = 2 * scale
  pen.stroke()
}

function person(pen: Pen, scale: number, colour: string): void {
  pen.fillStyle = colour
  pen.beginPath()
  pen.arc(0, -2.4 * scale, 2.2 * scale, 0, 2 * Math.PI)
  pen.fill()
  pen.beginPath()
  pen.arc(0, 5.2 * scale, 4.2 * scale, Math.PI, 2 * Math.PI)
  pen.fill()
}
