/** What was run from the palette last, newest first. In memory: names of contacts stay out of the browser's storage. */
import { RECENT_MAX } from './order.ts'

export interface RecentLine {
  id: string
  text: string
  /** A contact's page; a command is found by its id. */
  href?: string | undefined
}

let recent: RecentLine[] = []

export function recentLines(): RecentLine[] {
  return recent
}

export function noteRecent(line: RecentLine): void {
  recent = [line, ...recent.filter(({ id }) => id !== line.id)].slice(0, RECENT_MAX * 2)
}

/** For whoever signs in next in this tab. */
export function forgetRecent(): void {
  recent = []
}
