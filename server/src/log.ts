/** The log: one line of JSON for each thing that happened, times in UTC, without secrets. */

import { type DestinationStream, destination, type Logger, pino } from 'pino'
import { now, toIso } from './clock.ts'
import type { LogLevel } from './settings/settings.ts'
import { withoutSecrets } from './text/secret-text.ts'
import { visibleJson } from './text/visible-text.ts'

export type Log = Logger

/**
 * Opens the log. Lines are written in the background, so that a slow reader of stderr holds nothing up; those beyond
 * 16 MiB that wait for it are dropped. What waits when the process ends is still written, also after `fatal`.
 *
 * @param level the least important level that is written
 * @param out else stderr
 * @see security L1, L2
 */
export function createLog(level: LogLevel, out: DestinationStream = stderr()): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${toIso(now())}"`,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { req: requestLine, res: answerLine, err: errorLine },
      hooks: { streamWrite: (line) => visibleJson(withoutSecrets(withoutSecretFields(line))) },
    },
    out,
  )
}

const WAITING_BYTES_MAX = 16 * 1024 * 1024

function stderr(): DestinationStream {
  return destination({ dest: 2, sync: false, minLength: 0, maxLength: WAITING_BYTES_MAX })
}

/** Not the query: `q` may hold a person's name. */
function requestLine(request: { method: string; url: string; ip?: string }) {
  return { method: request.method, path: request.url.split('?', 1)[0], address: request.ip }
}

function answerLine(answer: { statusCode: number }) {
  return { status: answer.statusCode }
}

const CAUSES_MAX = 5

/** Named properties alone: database errors carry whole rows in others. */
function errorLine(err: unknown, depth = 0): unknown {
  if (!(err instanceof Error)) return { message: String(err) }
  const { code, cause, errors } = err as { code?: unknown; cause?: unknown; errors?: unknown }
  const goesOn = depth < CAUSES_MAX
  return {
    type: err.name,
    message: err.message,
    code,
    stack: err.stack,
    cause: cause === undefined || !goesOn ? undefined : errorLine(cause, depth + 1),
    errors:
      Array.isArray(errors) && goesOn
        ? errors.slice(0, CAUSES_MAX).map((one) => errorLine(one, CAUSES_MAX))
        : undefined,
  }
}

/** Hides whatever stands under a name that tells of a secret, however deep. `line` is JSON, so quotes are balanced. */
function withoutSecretFields(line: string): string {
  return line.replace(SECRET_FIELD, '"$1":"[hidden]"')
}

const SECRET_FIELD =
  /"(authorization|proxy-authorization|cookie|set-cookie|password|token|secret|session|idempotency-key)":(?:"(?:[^"\\]|\\.)*"|\[[^\]]*\])/gi
