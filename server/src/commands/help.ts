/** The help of a command or of a group, made from its definition, 80 columns wide. */

import type { Argument, Command, Example, Group, Option } from './command.ts'
import { GLOBAL_OPTIONS } from './global-options.ts'

/** How a command is called: `kith org set ID [--hourly-limit N] …`, or a group: `kith org create|list|set`. */
export function usageOf(path: readonly string[], node: Command | Group): string {
  if ('commands' in node) return `${path.join(' ')} ${Object.keys(node.commands).join('|')}`
  const required = Object.entries(node.options).filter(([, option]) => option.isRequired)
  const optional = Object.entries(node.options).filter(([, option]) => !option.isRequired)
  return [
    ...path,
    ...Object.entries(node.arguments).map(([name, argument]) => {
      const placeholder = placeholderOf(name, argument)
      return argument.isOptional ? `[${placeholder}]` : placeholder
    }),
    ...required.map(([name, option]) => optionCall(name, option)),
    ...optional.map(([name, option]) => `[${optionCall(name, option)}]`),
  ].join(' ')
}

/** `EMAIL`: how an argument is named to people. */
export function placeholderOf(name: string, argument: Argument): string {
  return argument.placeholder ?? name.toUpperCase()
}

/** `--org ID`: how an option is given. */
export function optionCall(name: string, option: Option): string {
  return option.kind ? `--${name} ${option.placeholder ?? option.kind.placeholder}` : `--${name}`
}

/** The whole help, with a line break at its end. */
export function helpOf(path: readonly string[], node: Command | Group): string {
  const parts = [
    hanging('Usage: ', 'commands' in node ? `${path.join(' ')} COMMAND` : usageOf(path, node)),
    ...node.details.map((paragraph) => wrapped(paragraph, 0)),
    ...('commands' in node ? groupParts(path, node) : commandParts(node)),
    examplesPart(node.examples),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function groupParts(path: readonly string[], group: Group): string[] {
  const rows = Object.entries(group.commands).map(([name, { summary }]): Row => [name, summary])
  return [listed('Commands:', rows), `"${path.join(' ')} COMMAND --help" says more about one of them.`]
}

function commandParts(command: Command): string[] {
  return [
    listed(
      'Arguments:',
      Object.entries(command.arguments).map(([name, argument]) => [placeholderOf(name, argument), argument.meaning]),
    ),
    listed('Options:', optionRows(command.options)),
    listed('Options of every command:', optionRows(GLOBAL_OPTIONS)),
    ...(command.lists ?? []).map(({ heading, rows }) => listed(heading, rows)),
  ]
}

function optionRows(options: Record<string, Option>): Row[] {
  return Object.entries(options).map(([name, option]) => {
    const standing = option.isRequired ? ' (required)' : option.fallback ? ` (${option.fallback} unless said)` : ''
    return [optionCall(name, option), `${option.meaning}${standing}`]
  })
}

function examplesPart(examples: readonly Example[]): string {
  if (examples.length === 0) return ''
  return ['Examples:', ...examples.map(({ command, does }) => `  ${command}\n${wrapped(does, 6)}`)].join('\n')
}

const WIDTH = 80
const LEFT_MAX = 26

type Row = [left: string, right: string]

/** Two columns under a heading; a left side too long for its column has a line of its own. */
function listed(heading: string, rows: Row[]): string {
  if (rows.length === 0) return ''
  const indent = Math.min(LEFT_MAX, Math.max(...rows.map(([left]) => left.length))) + 4
  const lines = rows.map(([left, right]) => {
    const text = wrapped(right, indent)
    return left.length + 4 > indent ? `  ${left}\n${text}` : `  ${left}`.padEnd(indent) + text.slice(indent)
  })
  return [heading, ...lines].join('\n')
}

function hanging(start: string, text: string): string {
  return start + wrapped(text, start.length).slice(start.length)
}

/** Breaks between words, but not inside the brackets of an option. */
function wrapped(text: string, indent: number): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.match(/\[[^\]]{1,60}\]|\S+/g) ?? []) {
    if (line !== '' && indent + line.length + 1 + word.length > WIDTH) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, line].map((one) => ' '.repeat(indent) + one).join('\n')
}
