import { readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('../src/', import.meta.url))
/** Of whatever name: all bundles are as deep. */
const bundle = fileURLToPath(new URL('../dist/bundle/', import.meta.url))

const FILE_BESIDE = /\bnew URL\('(\.[^']+)', import\.meta\.url\)/g
const OTHER_USE = /\bimport\.meta\.(?!resolve\b)\w+/

/**
 * Lets the bundle find what modules find with `new URL('./path', import.meta.url)`: TypeScript is the program of a
 * thread and becomes one of the bundle, another file of `src` is copied, and what lies elsewhere stays there.
 * Where a module looks for something in another way, it would look beside the bundle: that ends the build.
 */
export function filesBeside() {
  return {
    name: 'kith-files-beside',
    transform(code, module) {
      if (!module.startsWith(source)) return undefined
      const other = OTHER_USE.exec(code.replaceAll(FILE_BESIDE, ''))
      if (other) this.error(`${relative(source, module)}: the bundle needs new URL('./path', import.meta.url) here`)
      return code.replaceAll(FILE_BESIDE, (_, path) => {
        return `new URL('./${broughtAlong(this, join(dirname(module), path))}', import.meta.url)`
      })
    },
  }
}

/** @returns the path of the file in the bundle, or from there */
function broughtAlong(build, file) {
  if (!file.startsWith(source)) return relative(bundle, file)
  const isThread = file.endsWith('.ts')
  const fileName = isThread ? `${basename(file, '.ts')}.js` : `files/${relative(source, file)}`
  build.emitFile(
    isThread ? { type: 'chunk', id: file, fileName } : { type: 'asset', source: readFileSync(file), fileName },
  )
  return fileName
}
