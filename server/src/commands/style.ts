import type { Writable } from 'node:stream'
import { styleText } from 'node:util'

/** Emphasis for a terminal. */
export interface Style {
  bold(text: string): string
  dim(text: string): string
}

/** Emphasis where `out` is a terminal that shows it (`NO_COLOR` and the like are heeded), else the plain text. */
export function styleFor(out: Writable): Style {
  const emphasis = (format: 'bold' | 'dim') => (text: string) =>
    'isTTY' in out && out.isTTY ? styleText(format, text, { stream: out, validateStream: true }) : text
  return { bold: emphasis('bold'), dim: emphasis('dim') }
}
