/** What a command of `kith` is made of: its usage line, its help and the check of what is given come from this. */

import type { Readable, Writable } from 'node:stream'
import type { Config } from '../config.ts'
import type { Kind } from '../settings/value-kinds.ts'
import type { Style } from './style.ts'

export interface Argument<T = unknown> {
  kind: Kind<T>
  /** Else the kind's. */
  placeholder?: string
  meaning: string
  isOptional?: true
}

/** An option without a kind is a switch. */
export interface Option<T = unknown> {
  kind?: Kind<T>
  placeholder?: string
  meaning: string
  isRequired?: true
  /** What is read when the option is not given. */
  fallback?: string
}

export interface Example {
  command: string
  does: string
}

export interface Command {
  /** In the order in which they are given. */
  arguments: Record<string, Argument>
  options: Record<string, Option>
  /** Paragraphs of the help, below the usage line. */
  details: string[]
  /** Further lists of the help, in two columns, below the options. */
  lists?: { heading: string; rows: [left: string, right: string][] }[]
  examples: Example[]
  /** Does the work and prints the result; throws `CommandFailed`, `Misuse`, `ConfigError` or `ApiError`. */
  run(given: Record<string, unknown>, context: Context): Promise<void>
}

/** Commands under one word. Each is loaded only when it is called. */
export interface Group {
  details: string[]
  examples: Example[]
  commands: Record<string, { summary: string; load(): Promise<Command | Group> | Command | Group }>
}

export interface Context {
  /** Whether the result is printed as JSON. */
  json: boolean
  /** Whether more is told on stderr. */
  verbose: boolean
  terminal: Terminal
  /** What was given on the command line for settings, by the name of the option. */
  flags: Record<string, string | undefined>
  /**
   * The settings in effect.
   * @throws ConfigError
   */
  config(): Config
  /** Prints the result on stdout, once: `value` as one line of JSON when that is asked for, else the text for people. */
  print(value: unknown, textForPeople: (style: Style) => string): void
  /** Tells something beside the result, on stderr. */
  tell(sentence: string): void
}

export interface Terminal {
  stdin: Readable
  stdout: Writable
  stderr: Writable
}

type GivenArgument<A> = A extends { kind: Kind<infer T> } ? (A extends { isOptional: true } ? T | undefined : T) : never
type GivenOption<O> = O extends { kind: Kind<infer T> }
  ? O extends { isRequired: true } | { fallback: string }
    ? T
    : T | undefined
  : boolean

/** A command whose `run` receives its arguments and options by name, as what their kinds make of them. */
export function defineCommand<
  const A extends Record<string, Argument>,
  const O extends Record<string, Option>,
>(command: {
  arguments: A
  options: O
  details: string[]
  lists?: Command['lists']
  examples: Example[]
  run(
    given: { [Name in keyof A]: GivenArgument<A[Name]> } & { [Name in keyof O]: GivenOption<O[Name]> },
    context: Context,
  ): Promise<void>
}): Command {
  return command as Command
}
