/** Real places that come with the program, so that something can be found within a minute and without any network. */
import { createReadStream } from 'node:fs'
import type { Database } from '../database/engine.ts'
import type { PlaceSource } from './schema.ts'
import { loadPlaces } from './set-actions.ts'
import { liveSetByName } from './set-store.ts'
import { fileSource } from './sources.ts'

const NAME = 'Skopje fast food (sample)'
const FILE = new URL('./skopje-fast-food.geojson', import.meta.url)

/** Loads the sample places as a set, unless they are there. */
export async function loadSamplePlaces(db: Database): Promise<PlaceSource> {
  const loaded = await liveSetByName(db.read, NAME)
  if (loaded) return fileSource(loaded)
  const { set } = await loadPlaces(db, { name: NAME, bytes: createReadStream(FILE) })
  return fileSource(set)
}
