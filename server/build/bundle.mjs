// Makes the server's bundle (`node server/build/bundle.mjs`), unless the one of this source is there already.
// For why there is one see docs/decisions/0013-bundle.md.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { bundleFolder, DIST } from './bundle-folder.mjs'
import { filesBeside } from './files-beside.mjs'

/** A server that runs from an older bundle still loads parts of it: the programs of threads that start later. */
const KEPT = 10

// Once more where a file has been changed meanwhile: the bundle would not be that of its name.
for (let folder = bundleFolder(); !existsSync(folder); folder = bundleFolder()) await build(folder)

/** Under another name until it is whole: what a build that is broken off has left is never taken for a bundle. */
async function build(folder) {
  const unfinished = join(DIST, `unfinished-${process.pid}`)
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  const bundle = await rolldown({
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    input: { main: 'server/src/main.ts' },
    platform: 'node',
    // Nothing is left out, since a call that seems to do nothing may be there for what it throws.
    treeshake: false,
    // Not installed; pg asks for it where it is.
    external: ['pg-native'],
    plugins: [filesBeside()],
  })
  await bundle.write({
    dir: unfinished,
    // The folder's name changes with the content, so those of the files need not.
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    // Names and lines stay, for the sake of stack traces.
    minify: false,
    // Where a file holds any other character, V8 keeps two bytes for each of them all: 4 MiB at rest, 40 ms of the start.
    charset: 'ascii',
    comments: false,
  })
  await bundle.close()
  if (folder === bundleFolder() && !existsSync(folder)) renameSync(unfinished, folder)
  else rmSync(unfinished, { recursive: true })
  removeOld()
}

function removeOld() {
  const folders = readdirSync(DIST).map((name) => join(DIST, name))
  const newestFirst = folders.sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs)
  for (const folder of newestFirst.slice(KEPT)) rmSync(folder, { recursive: true })
}
