import { join } from 'node:path'
import optimizeLocales from '@react-aria/optimize-locales-plugin'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { blockingScript } from './build/blocking-script.ts'
import { brotliBeside } from './build/brotli-beside.ts'
import { citiesFile } from './build/cities-file.ts'
import { layerOrder } from './build/layer-order.ts'
import { serverFiles } from './build/server-files.ts'

/** Where `npm run dev` runs the server. */
const server = `http://127.0.0.1:${process.env.KITH_PORT ?? 8080}`

/** The server takes a change from its own pages only: what comes from the pages of the development server is theirs. */
const toServer = { target: server, changeOrigin: true, headers: { origin: server } }

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    { ...optimizeLocales.vite({ locales: ['en-US'] }), enforce: 'pre' },
    blockingScript('/src/app/first-paint.js'),
    layerOrder('reset, base, ui, app, pages'),
    citiesFile(),
    brotliBeside(),
    serverFiles(),
  ],
  resolve: { alias: { '@server': join(import.meta.dirname, '../server/src') } },
  // The manifest tells which files each page loads: the test of the budgets reads it.
  build: {
    manifest: true,
    // What most pages use in one file: else the first page loads fifty, most of them under 1 KB.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'kit', minShareCount: 7 }] } } },
    target: 'baseline-widely-available',
    // With `light-dark()`, which each colour of tokens.css is written in.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Of the map, which is loaded by itself; test/web-bundle.test.ts holds all of them to their budgets.
    chunkSizeWarningLimit: 1200,
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: Object.fromEntries(['/ui', '/api', '/docs', '/openapi.json'].map((path) => [path, toServer])),
  },
})
