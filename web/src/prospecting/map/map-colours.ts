/** The design tokens that the map is drawn with. */
import { STAGE_COLOURS, type StageColour } from '../../ui/stage-colours.ts'

const TOKENS = [
  ...(['bg', 'surface', 'text', 'text-2', 'line-strong', 'accent', 'fill', 'on-fill', 'ok', 'focus'] as const),
  ...(['map-water', 'map-land', 'map-line', 'map-green', 'map-building', 'map-road'] as const),
] as const

export type MapColours = Record<(typeof TOKENS)[number] | `${StageColour}-bar`, string>

/**
 * As they are now: the theme may change them.
 *
 * A custom property tells what is written in it; what colour that makes is told by an element that has it.
 */
export function mapColours(inside: HTMLElement): MapColours {
  const probe = document.createElement('span')
  probe.hidden = true
  inside.append(probe)
  const names = [...TOKENS, ...Object.keys(STAGE_COLOURS).map((name) => `${name}-bar`)]
  const colours = names.map((name) => {
    probe.style.color = `var(--${name})`
    return [name, getComputedStyle(probe).color]
  })
  probe.remove()
  return Object.fromEntries(colours) as MapColours
}
