/** The progress of reading a large file, on one line of a terminal. */
import type { Writable } from 'node:stream'

const REDRAW_MS = 100
const BAR_WIDTH = 24

export interface Shown {
  bytesRead: number
  rows_read: number
}

/**
 * Draws on `out` while it is a terminal, else does nothing.
 *
 * @param bytes of the whole file
 * @param what it is read for
 */
export function importProgress(
  out: Writable,
  bytes: number,
  what = 'rows',
): { show(progress: Shown): void; end(): void } {
  if (!('isTTY' in out && out.isTTY)) return { show() {}, end() {} }
  const startedAt = performance.now()
  let first: Shown | undefined
  let drawnAt = Number.NEGATIVE_INFINITY
  return {
    show(progress) {
      first ??= progress
      if (performance.now() - drawnAt < REDRAW_MS) return
      drawnAt = performance.now()
      out.write(`\r${progressLine({ first, progress, bytes, what, elapsedMs: drawnAt - startedAt })}\x1b[K`)
    },
    end: () => out.write('\r\x1b[K'),
  }
}

/** `██████░░░░  45 %  12,345 rows  15,200 rows/s  0:42 left` */
export function progressLine({
  first,
  progress,
  bytes,
  what = 'rows',
  elapsedMs,
}: {
  /** Where this run began: an import that goes on begins in the middle. */
  first: Shown
  progress: Shown
  bytes: number
  what?: string
  elapsedMs: number
}): string {
  const share = Math.min(progress.bytesRead / bytes, 1)
  const full = Math.round(share * BAR_WIDTH)
  const rate = Math.round(((progress.rows_read - first.rows_read) / Math.max(elapsedMs, 1)) * 1000)
  const doneBytes = progress.bytesRead - first.bytesRead
  const leftS = doneBytes > 0 ? ((bytes - progress.bytesRead) / doneBytes) * (elapsedMs / 1000) : undefined
  return [
    '█'.repeat(full) + '░'.repeat(BAR_WIDTH - full),
    `${String(Math.floor(share * 100)).padStart(3)} %`,
    `${progress.rows_read.toLocaleString('en')} ${what}`,
    `${rate.toLocaleString('en')} ${what}/s`,
    leftS === undefined ? '' : `${minutes(leftS)} left`,
  ]
    .join('  ')
    .trimEnd()
}

function minutes(seconds: number): string {
  const whole = Math.ceil(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
