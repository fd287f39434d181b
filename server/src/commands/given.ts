/** What was given on the command line, checked against what a command takes. */

import { parseArgs } from 'node:util'
import { nearestName } from '../text/nearest-name.ts'
import type { Command, Option } from './command.ts'
import { Misuse } from './failure.ts'
import { GLOBAL_OPTIONS } from './global-options.ts'
import { optionCall, placeholderOf } from './help.ts'

/**
 * Reads the arguments and options of one command.
 *
 * @param args what follows `kith`, without the words that name the command
 * @returns what was given, by name; a switch is true or false, what is missing undefined
 * @throws Misuse that lists every fault
 */
export function readGiven(
  command: Pick<Command, 'arguments' | 'options'>,
  args: readonly string[],
): Record<string, unknown> {
  const options: Record<string, Option> = { ...command.options, ...GLOBAL_OPTIONS }
  const faults: string[] = []
  const given: Record<string, unknown> = {}
  const words: string[] = []
  for (const token of tokensOf(args, options)) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind === 'option') faults.push(...faultsOfOption(token, options, given))
  }
  const extra = words.slice(Object.keys(command.arguments).length)
  // Beside an unknown option, such a word is probably its value.
  if (faults.length === 0) faults.push(...extra.map((word) => `${JSON.stringify(word)} is one argument too many.`))
  faults.push(...readArguments(command, words, given))
  for (const [name, option] of Object.entries(options)) {
    if (name in given) continue
    if (option.isRequired) faults.push(`${optionCall(name, option)} is missing.`)
    given[name] = option.kind ? option.fallback && option.kind.parse(option.fallback) : false
  }
  if (faults.length > 0) throw new Misuse(...faults)
  return given
}

/** The parts of a command line; an option that is not in `options` is taken for a switch. */
export function tokensOf(args: readonly string[], options: Record<string, Option>) {
  const config = Object.fromEntries(
    Object.entries(options).map(([name, option]) => [
      name,
      { type: option.kind ? ('string' as const) : ('boolean' as const), ...(name === 'help' && { short: 'h' }) },
    ]),
  )
  return parseArgs({ args: [...args], options: config, strict: false, tokens: true }).tokens
}

type OptionToken = Extract<ReturnType<typeof tokensOf>[number], { kind: 'option' }>

/** Reads one option into `given`. */
function faultsOfOption(token: OptionToken, options: Record<string, Option>, given: Record<string, unknown>): string[] {
  const { name, rawName, value, inlineValue } = token
  const option = Object.hasOwn(options, name) ? options[name]! : undefined
  if (!option) {
    const nearest = nearestName(name, Object.keys(options))
    return [`There is no option ${rawName}.${nearest ? ` Did you mean --${nearest}?` : ''}`]
  }
  if (name in given) return [`--${name} is given twice.`]
  given[name] = true
  if (!option.kind) return value === undefined ? [] : [`--${name} takes no value.`]
  if (value === undefined || (!inlineValue && value.startsWith('--'))) {
    return [`--${name} needs a value: ${optionCall(name, option)}.`]
  }
  given[name] = option.kind.parse(value)
  return given[name] === undefined ? [`--${name} must be ${option.kind.expected}, not ${JSON.stringify(value)}.`] : []
}

/** Reads the words that are no options into `given`. */
function readArguments(command: Pick<Command, 'arguments'>, words: string[], given: Record<string, unknown>): string[] {
  const faults: string[] = []
  for (const [at, [name, argument]] of Object.entries(command.arguments).entries()) {
    const word = words[at]
    const placeholder = placeholderOf(name, argument)
    if (word !== undefined) {
      given[name] = argument.kind.parse(word)
      if (given[name] === undefined) {
        faults.push(`${placeholder} must be ${argument.kind.expected}, not ${JSON.stringify(word)}.`)
      }
    } else if (!argument.isOptional) {
      faults.push(`${placeholder} is missing.`)
    }
  }
  return faults
}
