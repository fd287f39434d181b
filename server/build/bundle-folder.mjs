// Which bundle is that of the source as it is now. Plain JavaScript for any Node from 20 on: set-up asks, too.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const server = dirname(dirname(fileURLToPath(import.meta.url)))

/** Of all bundles: a folder for each. */
export const DIST = join(server, 'dist')

/**
 * The folder of the bundle of this very source, which is there when it has been built: its name is a hash of all that a
 * bundle is made from, so no bundle can be older than the source. That takes `kith` 17 ms at its start.
 */
export function bundleFolder() {
  const own = ['src', 'build'].flatMap((name) => filesIn(join(server, name)))
  const hash = createHash('sha256')
  for (const path of [...own.sort(), join(server, 'package.json'), join(server, '../package-lock.json')]) {
    const content = readFileSync(path)
    hash.update(`${path.slice(server.length)} ${content.length}\n`).update(content)
  }
  return join(DIST, hash.digest('hex').slice(0, 16))
}

/** All that is in a folder but tests, which no bundle holds. */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !/\.test\.ts$|[\\/]testdata[\\/]/.test(path))
}
