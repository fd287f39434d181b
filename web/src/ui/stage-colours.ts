/** The six pairs of colours that a stage or a label may have. The server keeps the colour of the bar. */

export const STAGE_COLOURS = {
  lead: '#6b7482',
  qualified: '#3f66d9',
  proposal: '#7f4fd0',
  negotiation: '#b07600',
  won: '#23804c',
  lost: '#c2453d',
} as const

export type StageColour = keyof typeof STAGE_COLOURS

/** How they are called where a person chooses one. */
export const COLOUR_NAMES: Record<StageColour, string> = {
  lead: 'Grey',
  qualified: 'Blue',
  proposal: 'Violet',
  negotiation: 'Amber',
  won: 'Green',
  lost: 'Red',
}

/** @param colour as the server keeps it (`#3f66d9`), or a name of ours; anything else is grey */
export function stageColour(colour: string | null | undefined): StageColour {
  const found = Object.entries(STAGE_COLOURS).find(([name, bar]) => name === colour || bar === colour?.toLowerCase())
  return (found?.[0] as StageColour | undefined) ?? 'lead'
}
