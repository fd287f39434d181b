/** How far it is on the map. */

const EARTH_M = 40_075_016.686
/** Of a tile, which at zoom 0 is the whole Earth. */
const TILE_PX = 512
const STEPS = [5, 2, 1]

export interface Scale {
  /** "200 m", "5 km" */
  text: string
  px: number
}

/** The longest round distance that fits into `pxMax` at this latitude. */
export function scaleAt({ latitude, zoom }: { latitude: number; zoom: number }, pxMax: number): Scale {
  const metresOfPx = (EARTH_M * Math.cos((latitude * Math.PI) / 180)) / (TILE_PX * 2 ** zoom)
  const metres = roundDown(metresOfPx * pxMax)
  return { text: metres < 1000 ? `${metres} m` : `${metres / 1000} km`, px: Math.round(metres / metresOfPx) }
}

/** 1, 2 or 5 and zeros. */
function roundDown(metres: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(metres, 1)))
  return power * STEPS.find((step) => step * power <= Math.max(metres, 1))!
}
