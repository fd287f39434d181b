/** The check that imports in server/src run one way: a table of rules, held against the text of every file. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Who may import what. A word is a room of the house (`roomOf`); `own …` is that room in the same folder alone,
 * `… types` is `import type` alone; a path is that file, or what lies in that folder. No word but `own store` opens
 * a store.
 */
const MAY_IMPORT = {
  top: ['top', 'door', 'routes', 'actions', 'part', 'schema', 'http', 'database', 'ground', 'config'],
  door: ['door', 'routes', 'actions', 'part', 'schema', 'http', 'database', 'ground', 'config types'],
  routes: ['actions', 'own part', 'idempotency/', 'schema', 'http', 'database types', 'ground', 'config types'],
  actions: [
    ...['own store', 'own part', 'actions', 'schema', 'events/', 'live/announce.ts', 'database', 'http/errors.ts'],
    ...['http types', 'ground', 'config types'],
  ],
  part: [
    ...['own store', 'own part', 'actions', 'schema', 'events/', 'live/announce.ts', 'background/', 'database'],
    ...['http/errors.ts', 'http types', 'ground', 'config types'],
  ],
  store: ['own part', 'own store', 'schema', 'events/names.ts', 'database', 'http/errors.ts', 'http types', 'ground'],
  schema: ['own part', 'schema', 'events/names.ts', 'http', 'ground'],
  http: ['http', 'database/faults.ts', 'database types', 'ground', 'config types'],
  database: [
    ...['database', 'clock.ts', 'ids.ts', 'log.ts types', 'start-error.ts', 'text/postgres-url.ts', 'config types'],
    ...['http/errors.ts', 'http types'],
  ],
  ground: ['ground', 'http/errors.ts', 'config types'],
  config: ['ground', 'http/errors.ts'],
}

/** What may stand in one file only, or in none. */
const RESERVED = [
  { text: /\bprocess\.env\b/, onlyIn: 'config.ts', rule: 'process.env is read in config.ts alone' },
  { text: /'node:test'/, onlyIn: undefined, rule: 'node:test is for tests' },
]

type Room = keyof typeof MAY_IMPORT

interface Import {
  /** Path inside server/src; outside of it, it begins with `../`. */
  target: string
  isTypeOnly: boolean
}

/**
 * Checks all of server/src but its tests.
 *
 * @returns a sentence for each fault (file, import, rule); empty when there is none
 */
export function importFaults(): string[] {
  const source = join(import.meta.dirname, '../server/src')
  const paths = globSync('**/*.ts', { cwd: source }).sort()
  const programs = paths.filter((path) => !path.endsWith('.test.ts') && !path.includes('testdata/'))
  return faultsOf(new Map(programs.map((path) => [path, readFileSync(join(source, path), 'utf8')])))
}

/**
 * As `importFaults`, for files that are handed over.
 *
 * @param texts what the files contain, by their path inside server/src
 */
export function faultsOf(texts: Map<string, string>): string[] {
  const imports = new Map<string, Import[]>()
  for (const [path, text] of texts) imports.set(path, importsOf(path, text))
  return [
    ...[...imports].flatMap(([path, wanted]) => directionFaults(path, wanted)),
    ...[...texts].flatMap(([path, text]) => reservedFaults(path, text)),
    ...circles(imports),
  ]
}

/** The formatter begins every import at the start of a line and quotes it in one way, so that no parser is needed. */
function importsOf(path: string, text: string): Import[] {
  const statements = text.matchAll(/^(?:import|export)\s+(type\s)?(?:[\w$*\s{},]+?\sfrom\s+)?'(\.[^']+)'/gm)
  const calls = text.matchAll(/\bimport\('(\.[^']+)'\)/g)
  const importOf = (specifier: string, isTypeOnly: boolean) => ({ target: join(dirname(path), specifier), isTypeOnly })
  return [
    ...[...statements].map(([, type, specifier]) => importOf(specifier!, type !== undefined)),
    ...[...calls].map(([, specifier]) => importOf(specifier!, false)),
  ]
}

function directionFaults(path: string, imports: Import[]): string[] {
  const grants = MAY_IMPORT[roomOf(path)]
  return imports
    .filter((wanted) => wanted.target !== '../package.json' && !grants.some((grant) => opens(grant, path, wanted)))
    .map(({ target, isTypeOnly }) => {
      const what = isTypeOnly ? `types of ${target}` : target
      return `server/src/${path} imports ${what}; a file of its kind (${roomOf(path)}) may import: ${grants.join(', ')}`
    })
}

function opens(grant: string, path: string, { target, isTypeOnly }: Import): boolean {
  const { own, what, types } = /^(?<own>own )?(?<what>\S+)(?<types> types)?$/.exec(grant)!.groups!
  if (types && !isTypeOnly) return false
  if (own && folderOf(path) !== folderOf(target)) return false
  const room = target.startsWith('../') ? undefined : roomOf(target)
  if (room === 'store') return grant === 'own store'
  return what === room || what === target || (what!.endsWith('/') && target.startsWith(what!))
}

/** A `part` is what a feature has beside its four rooms; the `ground` are the files beside clock.ts and three folders. */
function roomOf(path: string): Room {
  const folder = folderOf(path)
  if (folder === 'commands' || path === 'main.ts' || path === 'app.ts') return 'top'
  if (folder === '.') return path === 'config.ts' ? 'config' : 'ground'
  if (folder === 'outgoing' || folder === 'settings' || folder === 'text') return 'ground'
  if (folder === 'doors') return 'door'
  if (folder === 'http' || folder === 'database') return folder
  const named = /(?:^|[-/])(routes|actions|store|schema)\.ts$/.exec(path)
  return (named?.[1] as Room) ?? 'part'
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : '.'
}

function reservedFaults(path: string, text: string): string[] {
  const isComment = (line: string) => /^\s*(?:\/?\*|\/\/)/.test(line)
  return text
    .split('\n')
    .flatMap((line, index) =>
      RESERVED.filter((reserved) => reserved.onlyIn !== path && reserved.text.test(line) && !isComment(line)).map(
        ({ rule }) => `server/src/${path}:${index + 1} ${rule}`,
      ),
    )
}

/** Each circle once, written from the file where the search meets it. Types are gone at run time and make none. */
function circles(imports: Map<string, Import[]>): string[] {
  const faults: string[] = []
  const done = new Set<string>()
  const visit = (path: string, trail: string[]) => {
    const start = trail.indexOf(path)
    if (start >= 0) faults.push(`server/src: imports run in a circle: ${[...trail.slice(start), path].join(' → ')}`)
    if (start >= 0 || done.has(path)) return
    for (const { target, isTypeOnly } of imports.get(path) ?? []) if (!isTypeOnly) visit(target, [...trail, path])
    done.add(path)
  }
  for (const path of imports.keys()) visit(path, [])
  return faults
}
