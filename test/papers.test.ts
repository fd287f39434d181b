/** What the papers say is what the program has: receivers, payloads, settings, commands. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Command, Group } from '../server/src/commands/command.ts'
import { GLOBAL_OPTIONS } from '../server/src/commands/global-options.ts'
import { kithCommands } from '../server/src/commands/kith.ts'
import { EVENT_EXAMPLES } from '../server/src/reference/examples.ts'
import { SETTINGS, type Setting } from '../server/src/settings/settings.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const PAPERS = [
  'README.md',
  'SECURITY.md',
  'bench/README.md',
  'deploy/README.md',
  ...globSync('docs/*.md', { cwd: root }),
].sort()

test('docs/webhooks.md shows the receivers as they are', () => {
  const shown = read('docs/webhooks.md')
  assert.deepEqual(fences(shown, 'ts'), [read('docs/receivers/receiver.ts')])
  assert.deepEqual(fences(shown, 'python'), [read('docs/receivers/receiver.py')])
})

test('docs/webhooks.md shows the payload of each event as the reference does', () => {
  const shown = fences(read('docs/webhooks.md'), 'json').map((text) => JSON.parse(text))
  assert.deepEqual(Object.fromEntries(shown.map((body) => [body.event, body])), EVENT_EXAMPLES)
})

test('docs/operations.md has every setting with its meaning and default', () => {
  const rows = Object.entries<Setting>(SETTINGS).map(([name, { meaning, fallback, otherwise }]) => {
    return `| \`${name}\` | ${meaning} | ${fallback ? `\`${fallback}\`` : otherwise} |`
  })
  assert.equal(linesWith(read('docs/operations.md'), /^\| `KITH_/), rows.join('\n'))
})

for (const paper of PAPERS) {
  test(`${paper} names commands and settings that there are`, async () => {
    const text = read(paper)
    for (const call of callsIn(text)) assert.equal(await faultOf(call), undefined, call)
    const known = Object.entries<Setting>(SETTINGS).flatMap(([name, { isSecret }]) => [
      name,
      isSecret && `${name}_FILE`,
    ])
    for (const [name] of text.matchAll(/\bKITH_[A-Z_]+\b/g)) {
      assert.ok(known.includes(name) || OTHER_VARIABLES.includes(name), `${name} is no setting`)
    }
  })

  test(`${paper} links to files and headings that there are`, () => {
    for (const [, target] of read(paper).matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
      const [path, heading] = target!.split('#') as [string, string?]
      const linked = path === '' ? paper : join(paper, '..', path)
      assert.ok(globSync(linked.replace(/\/$/, ''), { cwd: root }).length === 1, `${target}: no such file`)
      if (heading) assert.ok(headingsOf(read(linked)).includes(heading), `${target}: no such heading`)
    }
  })
}

/** Of the reader's own shell. */
const OTHER_VARIABLES = ['KITH_TOKEN']

/** What stands between the fences of one language. */
function fences(text: string, language: string): string[] {
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)]
    .filter(([, of]) => of === language)
    .map(([, , inside]) => inside!)
}

function linesWith(text: string, pattern: RegExp): string {
  const lines = text.split('\n')
  return lines.filter((line) => pattern.test(line)).join('\n')
}

function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )
}

/** Calls of the command in shell blocks and between backticks, without what stands before and after them. */
function callsIn(text: string): string[] {
  const inline = [...text.replaceAll(/^```.*?^```$/gms, '').matchAll(/`([^`]+)`/g)].map(([, code]) => code!)
  return [...fences(text, '').flatMap((block) => block.split('\n')), ...inline]
    .map(
      (line) =>
        /^(?:[A-Z_]+=\S+ |sudo -u kith env |npx |\/opt\/kith\/node_modules\/\.bin\/)*(kith [a-z].*)$/.exec(line)?.[1],
    )
    .filter((call) => call !== undefined)
    .map((call) => call.replace(/\s+#.*$/, ''))
}

/** @returns why there is no such command; words in capitals, in quotes and paths stand for arguments */
async function faultOf(call: string): Promise<string | undefined> {
  let node: Command | Group = kithCommands
  const words = call.match(/"[^"]*"|\S+/g)!.slice(1)
  while ('commands' in node) {
    const word = words.shift()
    if (word === undefined) return 'it ends before the command'
    if (word.startsWith('--')) break
    const child: Group['commands'][string] | undefined = node.commands[word]
    if (!child) return `there is no command ${word}`
    node = await child.load()
  }
  const options: Record<string, object> = { ...GLOBAL_OPTIONS, ...('options' in node && node.options) }
  const unknown = words.find((word) => word.startsWith('--') && !(word.slice(2).split('=')[0]! in options))
  return unknown && `there is no option ${unknown}`
}
