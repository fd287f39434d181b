/** One call of `kith`: finds the command, reads what it is given, runs it, and tells how it went. */

import { readConfig } from '../config.ts'
import { SETTINGS, type Setting } from '../settings/settings.ts'
import { nearestName } from '../text/nearest-name.ts'
import { visibleJson } from '../text/visible-text.ts'
import { VERSION } from '../version.ts'
import type { Command, Context, Group, Option, Terminal } from './command.ts'
import { Misuse, tellFailure } from './failure.ts'
import { readGiven, tokensOf } from './given.ts'
import { GLOBAL_OPTIONS } from './global-options.ts'
import { helpOf, usageOf } from './help.ts'
import { styleFor } from './style.ts'

/**
 * Runs the command that `args` names below `root`.
 *
 * @param args what follows `kith` on the command line
 * @returns the exit code: 0, 1 when the command failed, 2 when it or its settings were wrong
 */
export async function runCommandLine(root: Group, args: readonly string[], terminal: Terminal): Promise<0 | 1 | 2> {
  let call: Call = { path: ['kith'], node: root, rest: [...args], wants: wantsOf(args) }
  try {
    call = await findCommand(call)
    const { path, node, rest, wants } = call
    if ('commands' in node) checkGroupCall(path, node, rest)
    if (wants.version) terminal.stdout.write(wants.json ? `${JSON.stringify({ version: VERSION })}\n` : `${VERSION}\n`)
    else if (wants.help || node === root) terminal.stdout.write(helpOf(path, node))
    else if ('commands' in node) throw new Misuse(`Say what to do: ${anyOf(node)} follows "${path.join(' ')}".`)
    else await runCommand(node, rest, terminal)
    return 0
  } catch (err) {
    const { path, node, wants } = call
    const usage = [`Usage: ${usageOf(path, node)}`, `"${path.join(' ')} --help" says more.`]
    return tellFailure(err, { terminal, json: wants.json, verbose: wants.verbose, usage })
  }
}

interface Call {
  /** The words that name the command so far, `kith` first. */
  path: string[]
  node: Command | Group
  /** The arguments without those words. */
  rest: string[]
  wants: { help: boolean; version: boolean; json: boolean; verbose: boolean }
}

const ROOT_OPTIONS: Record<string, Option> = { ...GLOBAL_OPTIONS, version: { meaning: 'Print the version.' } }

/** What decides how to answer, even where the rest of the call is wrong. */
function wantsOf(args: readonly string[]): Call['wants'] {
  const names = new Set(tokensOf(args, ROOT_OPTIONS).map((token) => token.kind === 'option' && token.name))
  return {
    help: names.has('help'),
    version: names.has('version'),
    json: names.has('json'),
    verbose: names.has('verbose'),
  }
}

/** Follows the first words as far as they name something; `kith help org` is read as `kith org --help`. */
async function findCommand(call: Call): Promise<Call> {
  let { path, node, rest, wants } = call
  for (;;) {
    const word = tokensOf(rest, ROOT_OPTIONS).find((token) => token.kind === 'positional')
    if (!word || !('commands' in node)) break
    if (path.length === 1 && word.value === 'help') {
      wants = { ...wants, help: true }
    } else {
      if (!Object.hasOwn(node.commands, word.value)) break
      node = await node.commands[word.value]!.load()
      path = [...path, word.value]
    }
    rest = rest.toSpliced(word.index, 1)
  }
  return { path, node, rest, wants }
}

/** A group is followed by nothing but options that every command takes, unless by the name of a command. */
function checkGroupCall(path: string[], group: Group, rest: string[]): void {
  const word = tokensOf(rest, ROOT_OPTIONS).find((token) => token.kind === 'positional')
  if (word) {
    const nearest = nearestName(word.value, Object.keys(group.commands))
    const suggestion = nearest ? ` Did you mean "${[...path, nearest].join(' ')}"?` : ''
    throw new Misuse(`There is no command "${[...path, word.value].join(' ')}".${suggestion}`)
  }
  readGiven({ arguments: {}, options: ROOT_OPTIONS }, rest)
}

function anyOf(group: Group): string {
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(Object.keys(group.commands))
}

async function runCommand(command: Command, rest: string[], terminal: Terminal): Promise<void> {
  const given = readGiven(command, rest)
  const flags = Object.fromEntries(
    Object.values<Setting>(SETTINGS)
      .filter(({ flag }) => flag !== undefined && typeof given[flag] === 'string')
      .map(({ flag }) => [flag, given[flag!] as string]),
  )
  const json = given.json === true
  const context: Context = {
    json,
    verbose: given.verbose === true,
    terminal,
    flags,
    config: () => readConfig({ flags }),
    print: (value, textForPeople) => {
      const text = json ? visibleJson(JSON.stringify(value)) : textForPeople(styleFor(terminal.stdout))
      terminal.stdout.write(`${text}\n`)
    },
    tell: (sentence) => terminal.stderr.write(`${sentence}\n`),
  }
  await command.run(given, context)
}
