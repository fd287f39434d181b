import type { Plugin } from 'vite'

/**
 * Says the order of the cascade layers at the head of every file of CSS: it counts as it is first met, and which file
 * of several a browser meets first is for the bundler to decide.
 *
 * @param order as in src/app/tokens.css, which is the first in development
 */
export function layerOrder(order: string): Plugin {
  return {
    name: 'kith-layer-order',
    apply: 'build',
    enforce: 'post',
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'asset' && file.fileName.endsWith('.css')) file.source = `@layer ${order};${file.source}`
      }
    },
  }
}
