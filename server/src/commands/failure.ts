/** How a command fails: what it throws, what is then told on stderr, and the exit code. */

import { inspect } from 'node:util'
import { ConfigError } from '../config.ts'
import { ApiError, type Detail } from '../http/errors.ts'
import { StartError } from '../start-error.ts'
import { withoutSecrets } from '../text/secret-text.ts'
import { visibleJson, visibleText } from '../text/visible-text.ts'
import type { Terminal } from './command.ts'

/** A command could not do its work, for a reason that its message, a sentence, explains. Exit code 1. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
}

/** A command was called wrongly; each fault is a sentence. Exit code 2. */
export class Misuse extends Error {
  override readonly name = 'Misuse'
  readonly faults: string[]

  constructor(...faults: string[]) {
    super(faults.join(' '))
    this.faults = faults
  }
}

/**
 * Tells on stderr why a command failed: sentences for people, or with `json` one line
 * `{"error", "message", "details"?, "hint"?}`, where `error` is `misuse`, `settings`, `failed`, `internal` or a code of
 * the API. With `verbose` an unexpected error is told with its stack.
 *
 * @param usage lines that say what to call instead, told after a misuse
 * @returns the exit code: 2 when the call or its settings were wrong, else 1
 */
export function tellFailure(
  err: unknown,
  { terminal, json, verbose, usage }: { terminal: Terminal; json: boolean; verbose: boolean; usage: string[] },
): 1 | 2 {
  const { exitCode, error, sentences, details, hint } = failureOf(err, usage)
  if (json) {
    const answer = JSON.stringify({ error, message: sentences.join(' '), details, hint: hint?.join(' ') })
    terminal.stderr.write(`${visibleJson(withoutSecrets(answer))}\n`)
  } else {
    const listed = details?.length === 1 && details[0]?.message === sentences[0] ? [] : (details ?? [])
    const lines = [
      ...sentences.map((sentence) => `kith: ${sentence}`),
      ...listed.map(({ path, message }) => `  ${path ? `${path}: ` : ''}${message}`),
      ...(hint ?? []),
    ]
    for (const line of lines) terminal.stderr.write(`${visibleText(withoutSecrets(line))}\n`)
  }
  if (verbose && error === 'internal') {
    for (const line of inspect(err).split('\n')) terminal.stderr.write(`${visibleText(withoutSecrets(line))}\n`)
  }
  return exitCode
}

interface Failure {
  exitCode: 1 | 2
  error: string
  sentences: string[]
  details?: Detail[]
  hint?: string[]
}

function failureOf(err: unknown, usage: string[]): Failure {
  if (err instanceof Misuse) return { exitCode: 2, error: 'misuse', sentences: err.faults, hint: usage }
  if (err instanceof ConfigError) return { exitCode: 2, error: 'settings', sentences: err.faults }
  if (err instanceof CommandFailed || err instanceof StartError)
    return { exitCode: 1, error: 'failed', sentences: [err.message] }
  if (err instanceof ApiError && err.code !== 'internal') {
    return { exitCode: 1, error: err.code, sentences: [err.message], details: err.details }
  }
  const message = err instanceof Error ? err.message : String(err)
  return {
    exitCode: 1,
    error: 'internal',
    sentences: [`This failed unexpectedly: ${message}`],
    hint: ['With --verbose it says where.'],
  }
}
