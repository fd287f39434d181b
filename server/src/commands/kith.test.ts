import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Command, Example, Group } from './command.ts'
import { readGiven } from './given.ts'
import { helpOf } from './help.ts'
import { kithCommands } from './kith.ts'

const nodes: { path: string[]; node: Command | Group }[] = []
await collect(['kith'], kithCommands)

for (const { path, node } of nodes) {
  const name = path.join(' ')

  test(`${name} --help fits into 80 columns, but for what is to be typed`, () => {
    const typed = new Set(node.examples.map(({ command }) => `  ${command}`))
    for (const line of helpOf(path, node).split('\n')) {
      assert.ok([...line].length <= 80 || typed.has(line), line)
    }
  })

  test(`${name}: the examples of the help can be called so`, async () => {
    if (!('commands' in node)) assert.ok(node.examples.length > 0, 'there is none')
    for (const example of node.examples) readGiven(...(await calledBy(example)))
  })
}

test('every command of the contract is there', () => {
  const names = nodes.filter(({ node }) => !('commands' in node)).map(({ path }) => path.slice(1).join(' '))
  assert.deepEqual(names, [
    ...['serve', 'org create', 'org list', 'org set', 'user create', 'user list', 'user reset', 'user remove'],
    ...['token create', 'token list', 'token revoke', 'webhook create', 'webhook list', 'webhook pause'],
    ...['webhook resume', 'webhook delete', 'webhook rotate', 'webhook deliveries', 'webhook redeliver'],
    ...['import', 'places load', 'places list', 'places remove', 'backup', 'restore', 'demo', 'doctor', 'config'],
  ])
})

async function collect(path: string[], node: Command | Group) {
  nodes.push({ path, node })
  if (!('commands' in node)) return
  for (const [name, { load }] of Object.entries(node.commands)) await collect([...path, name], await load())
}

/** The command that an example names, and what it is given: variables in front and redirections are the shell's. */
async function calledBy({ command: line }: Example): Promise<[Command, string[]]> {
  const words = (line.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''))
  const args = words.slice(words.indexOf('kith') + 1)
  const end = args.findIndex((word) => ['<', '>', '|', '2>'].includes(word))
  const rest = end < 0 ? args : args.slice(0, end)
  let node: Command | Group = kithCommands
  while ('commands' in node) {
    const found: Group['commands'][string] | undefined = node.commands[rest.shift() ?? '']
    assert.ok(found, line)
    node = await found.load()
  }
  return [node, rest]
}
