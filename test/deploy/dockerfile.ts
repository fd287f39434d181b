/** deploy/Dockerfile as its stages and instructions. */
import { globSync, readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { ROOT, readDeployFile } from './files.ts'

export interface Instruction {
  word: string
  rest: string
}

export interface Stage {
  from: string
  name: string | undefined
  instructions: Instruction[]
}

/** A COPY: out of another stage, or out of the repository. */
export interface Copy {
  stage: string | undefined
  sources: string[]
  target: string
}

export function readStages(): Stage[] {
  const lines = readDeployFile('Dockerfile').replaceAll('\\\n', ' ').split('\n')
  const stages: Stage[] = []
  for (const line of lines.filter((text) => text !== '' && !text.startsWith('#'))) {
    const [, word, rest] = /^(\w+)\s+(.*)$/.exec(line)!
    if (word === 'FROM') {
      const [from, , name] = rest!.split(/\s+/)
      stages.push({ from: from!, name, instructions: [] })
    } else stages.at(-1)!.instructions.push({ word: word!, rest: rest! })
  }
  return stages
}

export function copiesOf({ instructions }: Stage): Copy[] {
  return instructions
    .filter(({ word }) => word === 'COPY')
    .map(({ rest }) => {
      const words = rest.split(/\s+/)
      const stage = words[0]!.startsWith('--from=') ? words.shift()!.slice('--from='.length) : undefined
      return { stage, sources: words.slice(0, -1), target: words.at(-1)! }
    })
}

/** The list that `ENTRYPOINT` or `CMD` holds. */
export function listOf({ instructions }: Stage, word: string): string[] {
  return JSON.parse(instructions.find((instruction) => instruction.word === word)!.rest)
}

export function environmentOf({ instructions }: Stage): Record<string, string> {
  const pairs = instructions.filter(({ word }) => word === 'ENV').flatMap(({ rest }) => rest.split(/\s+/))
  return Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]))
}

/** What Docker is sent: files of the repository that `.dockerignore` leaves in, in the order it is read in. */
export function contextFiles(under: string): string[] {
  const rules = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isKept: line.startsWith('!'), pattern: line.replace(/^!/, '') }))
  const isSent = (path: string) => {
    let isKept = true
    for (const rule of rules) if (isCovered(path, rule.pattern)) isKept = rule.isKept
    return isKept
  }
  const found = globSync([under, `${under}/**`], {
    cwd: ROOT,
    exclude: ({ name }) => name === 'node_modules',
    withFileTypes: true,
  })
  const files = found.filter((entry) => entry.isFile())
  return files.map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length + 1)).filter(isSent)
}

/** A pattern covers what it matches, and all that is in a folder that it matches. */
function isCovered(path: string, pattern: string): boolean {
  const parts = path.split('/')
  return parts.some((_, at) => matchesGlob(parts.slice(0, at + 1).join('/'), pattern))
}
