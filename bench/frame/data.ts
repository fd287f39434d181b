/** Databases with contacts for benches: each kind is filled once and handed out as copies. */
import { hash } from 'node:crypto'
import {
  constants,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kithCommand, type Place } from './child.ts'
import { addOrgs, fill } from './fill.ts'
import type { Request } from './load.ts'
import { orgSizes, personAt } from './people.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import type { Program } from './program.ts'

/** No rate limit stops it. */
const HOURLY_LIMIT = 1_000_000_000
/** So many different contacts are asked for in turn. */
const ASKED_MAX = 1_000

export interface Kind {
  program: Program
  engine?: 'sqlite' | 'postgres'
  /** Of the org that is called. */
  contacts: number
  /** Beside it, from the smallest to one of some thousand contacts. */
  otherOrgs?: number
  /** The bench changes nothing but what a server notes by itself, so no copy is made. */
  isOnlyRead?: boolean
}

/** A database of its own, with one org that is called. */
export interface Filled {
  place: Place
  program: Program
  orgId: string
  token: string
  contacts: number
}

export class Data {
  /** What is gone after this run: the copies, and all that belongs to the PostgreSQL of this run. */
  readonly #own = mkdtempSync(join(tmpdir(), 'kith-bench-'))
  readonly #kept: string
  #server: Promise<Postgres> | undefined
  #copies = 0

  /** @param kept where filled SQLite databases stay, to be used again by the next run; none stays unless said */
  constructor(kept?: string) {
    this.#kept = kept ?? this.#own
    mkdirSync(this.#kept, { recursive: true })
    process.on('exit', () => rmSync(this.#own, { recursive: true, force: true }))
  }

  /** Started when it is first wanted. */
  postgres(): Promise<Postgres> {
    this.#server ??= startPostgres()
    return this.#server
  }

  async close(): Promise<void> {
    await (await this.#server)?.stop()
  }

  /** A new, empty folder, which is there as long as this is open. */
  folder(): string {
    return mkdtempSync(join(this.#own, 'folder-'))
  }

  /** A database of that kind, and what removes it. */
  async filled(kind: Kind): Promise<{ filled: Filled; remove(): Promise<void> }> {
    const { made, template } = await this.#template(kind)
    const { program } = kind
    if (kind.isOnlyRead) return { filled: { ...made, place: template, program }, remove: async () => {} }
    return this.copyOf({ ...made, place: template, program })
  }

  /** A copy of a database that no server is working on. */
  async copyOf(filled: Filled): Promise<{ filled: Filled; remove(): Promise<void> }> {
    const folder = this.folder()
    cpSync(filled.place.folder, folder, { recursive: true, mode: constants.COPYFILE_FICLONE })
    const { databaseUrl } = filled.place
    const copy = databaseUrl && (await (await this.postgres()).copy(databaseUrl, `copy_${++this.#copies}`))
    const place: Place = { folder, ...(copy !== undefined && { databaseUrl: copy }) }
    return {
      filled: { ...filled, place },
      remove: async () => {
        if (copy !== undefined) await (await this.postgres()).drop(copy)
        rmSync(folder, { recursive: true })
      },
    }
  }

  /** The database that copies are made of. */
  async #template(kind: Kind): Promise<{ made: Made; template: Place }> {
    const { program, engine = 'sqlite', contacts, otherOrgs = 0 } = kind
    const name = [program.name.replaceAll(/\W+/g, '-').toLowerCase(), engine, contacts, otherOrgs, MAKING].join('-')
    const postgres = engine === 'postgres' ? await this.postgres() : undefined
    const folder = join(postgres ? this.#own : this.#kept, name)
    const databaseUrl = postgres?.urlOf(name.replaceAll('-', '_'))
    const template: Place = { folder, ...(databaseUrl !== undefined && { databaseUrl }) }
    const notes = join(folder, MADE_FILE)
    if (!existsSync(notes)) {
      rmSync(folder, { recursive: true, force: true })
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      if (databaseUrl !== undefined) await postgres!.create(databaseUrl)
      const made = await make(template, kind)
      writeFileSync(`${notes}-new`, JSON.stringify(made))
      renameSync(`${notes}-new`, notes)
    }
    return { made: JSON.parse(readFileSync(notes, 'utf8')), template }
  }
}

type Made = Pick<Filled, 'orgId' | 'token' | 'contacts'>
const MADE_FILE = 'bench.json'
/** Of the files that say what is in a database: what others have made is not used again. */
const MAKING = hash(
  'sha256',
  globSync(['people.ts', 'fill.ts', '../../server/src/database/migrations/*.ts'], { cwd: import.meta.dirname })
    .sort()
    .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
    .join(),
  'hex',
).slice(0, 8)

async function make(place: Place, { program, contacts, otherOrgs = 0 }: Kind): Promise<Made> {
  const limit = ['--hourly-limit', String(HOURLY_LIMIT)]
  const { id: orgId } = await kithCommand<{ id: string }>(program, place, 'org', 'create', 'Bench', ...limit)
  const { token } = await kithCommand<{ token: string }>(program, place, 'token', 'create', 'Bench', '--org', orgId)
  const others = await addOrgs(place, otherOrgs)
  const sizes = orgSizes(otherOrgs, contacts)
  await fill(place, [
    { orgId, contacts, series: 0 },
    ...others.map((orgId, i) => ({ orgId, contacts: sizes[i]!, series: i + 1 })),
  ])
  return { orgId, token, contacts }
}

export function bearer({ token }: Pick<Filled, 'token'>): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}

/** Ids from the first contact to the last. */
export function askedIds({ contacts }: Pick<Filled, 'contacts'>): string[] {
  const asked = Math.min(ASKED_MAX, contacts)
  return Array.from({ length: asked }, (_, i) => personAt(Math.floor((i / asked) * contacts)).id)
}

/** A request of the API, with the token of the org. */
export function apiRequest(
  filled: Pick<Filled, 'token'>,
  method: Request['method'],
  path: string,
  body?: object,
): Request {
  const headers = bearer(filled)
  const request = { method, path: `/api/v1${path}`, headers }
  if (body === undefined) return request
  return { ...request, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
}
