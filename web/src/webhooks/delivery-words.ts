/** What became of a delivery, in words. */
import type { DeliveryAttempt, LoggedDelivery } from '@server/webhooks/ui-schema.ts'
import { duration } from '../ui/format.ts'

export const STATUS_WORDS: Record<LoggedDelivery['status'], string> = {
  delivered: 'Delivered',
  failed: 'Failed',
  pending: 'Waiting',
}

/** One short text for a row: the status code, or the reason where there is none. */
export function outcomeText({ status, response_status, error }: LoggedDelivery): string {
  if (status === 'pending') return ''
  return response_status === null ? (error ?? '') : String(response_status)
}

/** One sentence for the panel. */
export function sentenceOf(delivery: LoggedDelivery): string {
  const { status, response_status, error, duration_ms, attempts } = delivery
  if (status === 'pending') return attempts === 0 ? 'Waiting to be sent.' : 'Waiting to be sent again.'
  if (status === 'failed') return error ?? `Answered ${response_status}.`
  return `Answered ${response_status} in ${duration(duration_ms ?? 0)}.`
}

/** The same of one attempt, for the list of attempts. */
export function attemptText({ delivered, response_status, error, duration_ms }: DeliveryAttempt): string {
  if (delivered) return `Delivered: answered ${response_status} in ${duration(duration_ms)}`
  return `Failed: ${error ?? `answered ${response_status}`}`
}

/** What took how long, one after another; what did not happen is left out. */
export function timingRows({ timings, duration_ms }: DeliveryAttempt): { name: string; text: string }[] {
  const rows: [string, number | null][] = [
    ['Find the address', timings.resolve_ms],
    ['Connect', timings.connect_ms],
    ['TLS', timings.tls_ms],
    ['First byte', timings.first_byte_ms],
    ['In all', duration_ms],
  ]
  return rows.flatMap(([name, ms]) => (ms === null ? [] : [{ name, text: duration(ms) }]))
}

/** JSON over several lines; what is no JSON as it is. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
