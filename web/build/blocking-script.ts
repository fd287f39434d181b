import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/**
 * Puts a classic script into the page's head, as a hashed file of its own: it runs before the first paint, which a
 * module cannot, and needs no exception in the content security policy, which an inline script would.
 *
 * @param path from the root of the web app, such as `/src/app/first-paint.js`
 */
export function blockingScript(path: string): Plugin {
  let root = ''
  let fileName = () => ''
  return {
    name: 'kith-blocking-script',
    configResolved(config) {
      root = config.root
    },
    buildStart() {
      if (this.environment.config.command !== 'build') return
      const source = readFileSync(join(root, path))
      const reference = this.emitFile({ type: 'asset', name: path.slice(path.lastIndexOf('/') + 1), source })
      fileName = () => this.getFileName(reference)
    },
    transformIndexHtml: {
      order: 'post',
      handler(_, { server }) {
        const src = server ? path : `/${fileName()}`
        return [{ tag: 'script', attrs: { src }, injectTo: 'head-prepend' }]
      },
    },
  }
}
