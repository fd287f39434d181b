import { ApiError } from './errors.ts'

const BYTES_PER_S_MIN = 32 * 1024
const WINDOW_MS = 10_000

/**
 * The pieces of an upload, as long as they come at 32 KiB a second over each 10 s in which they were waited for.
 *
 * @throws ApiError `bad_request` when they come slower
 */
export async function* paced(
  stream: AsyncIterable<Uint8Array> & { destroy?(error: Error): unknown },
  { windowMs = WINDOW_MS, bytesPerSMin = BYTES_PER_S_MIN } = {},
): AsyncGenerator<Uint8Array> {
  const bytesMin = (bytesPerSMin * windowMs) / 1000
  const pieces = stream[Symbol.asyncIterator]()
  let leftMs = windowMs
  let bytes = 0
  for (;;) {
    const begunMs = performance.now()
    const next = await soon(pieces.next(), leftMs, bytes)
    if (next.done) return
    yield next.value
    bytes += next.value.length
    leftMs -= performance.now() - begunMs
    if (leftMs > 0) continue
    if (bytes < bytesMin) throw tooSlow()
    leftMs = windowMs
    bytes = 0
  }

  async function soon<T>(work: Promise<T>, ms: number, before: number): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(tooSlow()), Math.max(ms, 0) + (before < bytesMin ? 0 : windowMs))
    })
    try {
      return await Promise.race([work, late])
    } finally {
      clearTimeout(timer)
    }
  }
}

function tooSlow(): ApiError {
  return new ApiError('bad_request', 'The file came too slowly. Try again over a better connection.', { status: 408 })
}
