/** How the cities are written in the file that the build makes: by country and from south to north, so that it stays small. */

export interface City {
  name: string
  /** ISO 3166, two letters. */
  country: string
  latitude: number
  longitude: number
  population: number
}

/** By country code: names, latitudes (each the step from the one before), longitudes, thousands of people. */
export type PackedCities = Record<
  string,
  [names: string[], latitudes: number[], longitudes: number[], people: number[]]
>

/** Parts of a degree: the place of a city is a matter of a kilometre. */
const PARTS = 100
const DIGITS_OF_POPULATION = 2

export function packCities(cities: readonly City[]): PackedCities {
  const packed: PackedCities = {}
  for (const [country, list = []] of Object.entries(Object.groupBy(cities, ({ country }) => country))) {
    const sorted = list.toSorted((one, other) => one.latitude - other.latitude || one.longitude - other.longitude)
    const latitudes = sorted.map(({ latitude }) => Math.round(latitude * PARTS))
    packed[country] = [
      sorted.map(({ name }) => name),
      latitudes.map((latitude, index) => latitude - (latitudes[index - 1] ?? 0)),
      sorted.map(({ longitude }) => Math.round(longitude * PARTS)),
      sorted.map(({ population }) => Number((population / 1000).toPrecision(DIGITS_OF_POPULATION))),
    ]
  }
  return packed
}

/** @returns the largest first */
export function unpackCities(packed: PackedCities): City[] {
  const cities = Object.entries(packed).flatMap(([country, [names, latitudes, longitudes, people]]) => {
    let latitude = 0
    return names.map((name, index) => {
      latitude += latitudes[index]!
      return {
        name,
        country,
        latitude: latitude / PARTS,
        longitude: longitudes[index]! / PARTS,
        population: people[index]! * 1000,
      }
    })
  })
  return cities.sort((one, other) => other.population - one.population || (one.name < other.name ? -1 : 1))
}
