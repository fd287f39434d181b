import { join, relative } from 'node:path'
import type { Plugin } from 'vite'

const root = join(import.meta.dirname, '../..')

/** Writes `server-files.json`: the files of the server that the app imports, so that set-up knows when to build again. */
export function serverFiles(): Plugin {
  return {
    name: 'kith-server-files',
    apply: 'build',
    generateBundle() {
      const paths = [...this.getModuleIds()].map((id) => relative(root, id.split('?', 1)[0]!).replaceAll('\\', '/'))
      const files = paths.filter((path) => path.startsWith('server/')).sort()
      this.emitFile({ type: 'asset', fileName: 'server-files.json', source: JSON.stringify(files) })
    },
  }
}
