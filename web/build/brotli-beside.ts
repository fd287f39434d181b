import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Plugin } from 'vite'

const BYTES_MIN = 1024
const QUALITY = 9
/** Lists of data become a sixth smaller by it; programs, which are larger, would take seconds. */
const QUALITY_OF_JSON = 10
const compress = promisify(brotliCompress)

/** Writes `x.br` beside each text file of the build, so that the server never compresses while somebody waits. */
export function brotliBeside(): Plugin {
  return {
    name: 'kith-brotli-beside',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const texts = Object.values(bundle).filter(({ fileName }) => /\.(?:js|mjs|css|svg|json|txt)$/.test(fileName))
        await Promise.all(
          texts.map(async (file) => {
            const bytes = Buffer.from(file.type === 'chunk' ? file.code : file.source)
            if (bytes.length < BYTES_MIN) return
            const quality = file.fileName.endsWith('.json') ? QUALITY_OF_JSON : QUALITY
            const params = {
              [constants.BROTLI_PARAM_QUALITY]: quality,
              [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
            }
            this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: await compress(bytes, { params }) })
          }),
        )
      },
    },
  }
}
