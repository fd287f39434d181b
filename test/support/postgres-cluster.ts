/** A PostgreSQL of a test's own, which can be stopped, started, paused, and followed by a standby. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chown, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { CLUSTER, freePort, preparePrograms, serverUser } from './postgres-server.ts'
import { until } from './until.ts'

/** What is needed of node:test's context. */
interface Test {
  after(hook: () => void | Promise<void>): void
}

/** How PostgreSQL is told to stop: its clients are told so, or see their connections end. */
const STOPS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const

const PASSWORD = 'sentinel-of-the-cluster'
const user = serverUser()

export class PostgresCluster {
  readonly port: number
  readonly folder: string
  #process: ChildProcess | undefined

  /** A new cluster that runs; gone when the test has ended. */
  static async start(t: Test, settings: Record<string, string> = {}): Promise<PostgresCluster> {
    const folder = await newFolder()
    const cluster = new PostgresCluster(folder, await freePort())
    t.after(() => cluster.remove())
    await writeFile(join(folder, 'password'), PASSWORD, { mode: 0o644 })
    const data = ['--pgdata', join(folder, 'data'), '--pwfile', join(folder, 'password')]
    const own = Object.entries(settings).map(([name, value]) => `--set=${name}=${value}`)
    await promisify(execFile)(program('initdb'), [...data, ...CLUSTER, ...own], { ...user, env: environment() })
    await cluster.start()
    return cluster
  }

  private constructor(folder: string, port: number) {
    this.folder = folder
    this.port = port
  }

  /** Of its `postgres` database, as a superuser. */
  get url(): string {
    return `postgresql://kith:${PASSWORD}@127.0.0.1:${this.port}/postgres`
  }

  /** Begins to follow it as it is now: it is stopped for the copy, and started again. */
  async standby(t: Test): Promise<PostgresCluster> {
    await this.stop('fast')
    const folder = await newFolder()
    const standby = new PostgresCluster(folder, await freePort())
    t.after(() => standby.remove())
    await cp(join(this.folder, 'data'), join(folder, 'data'), { recursive: true, preserveTimestamps: true })
    execFileSync('chmod', ['-R', 'go-rwx', join(folder, 'data')])
    if (user) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, folder])
    await writeFile(join(folder, 'data/standby.signal'), '')
    const primary = `host=127.0.0.1 port=${this.port} user=kith password=${PASSWORD}`
    await appendFile(join(folder, 'data/postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`)
    await this.start()
    await standby.start()
    return standby
  }

  async start(): Promise<void> {
    const options = ['-D', join(this.folder, 'data'), '-p', String(this.port)]
    const server = spawn(program('postgres'), options, { ...user, env: environment(), stdio: 'ignore' })
    this.#process = server
    const pidFile = join(this.folder, 'data/postmaster.pid')
    await until('PostgreSQL has started', async () => {
      if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}.`)
      const lines = await readFile(pidFile, 'utf8').then(
        (text) => text.split('\n'),
        () => [],
      )
      return lines[0] === String(server.pid) && lines[7]?.trim() === 'ready'
    })
  }

  async stop(how: keyof typeof STOPS): Promise<void> {
    const ended = once(this.#process!, 'exit')
    this.#process!.kill(STOPS[how])
    await ended
  }

  /** Stops all of its processes in their tracks: they go on to hold their connections, and answer nothing. */
  async pause(): Promise<void> {
    await this.#signal('SIGSTOP')
  }

  async resume(): Promise<void> {
    await this.#signal('SIGCONT')
  }

  /** Makes a standby take writes. */
  async promote(): Promise<void> {
    await this.query('select pg_promote()')
  }

  async query<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url })
    await client.connect()
    try {
      return (await client.query<Row>(sql, values)).rows
    } finally {
      await client.end()
    }
  }

  /** Waits until the standby has all that was written here. */
  async isFollowedBy(standby: PostgresCluster): Promise<void> {
    const [here] = await this.query<{ at: string }>('select pg_current_wal_lsn()::text as at')
    const behind = 'select pg_wal_lsn_diff(pg_last_wal_replay_lsn(), $1::pg_lsn) >= 0 as is_there'
    await until('the standby has caught up', async () => (await standby.query(behind, [here!.at]))[0]!.is_there)
  }

  /** Ends it, if it runs, and removes its folder. */
  async remove(): Promise<void> {
    const server = this.#process
    if (server && server.exitCode === null && server.signalCode === null) {
      await this.resume()
      await this.stop('immediate')
    }
    await rm(this.folder, { recursive: true, force: true })
  }

  /** Backends lead process groups of their own. A server that forks meanwhile is asked again. */
  async #signal(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const server = this.#process!.pid!
    process.kill(server, signal)
    const { stdout } = await promisify(execFile)('pgrep', ['-P', String(server)]).catch(() => ({ stdout: '' }))
    for (const pid of stdout.split('\n').filter(Boolean)) {
      try {
        process.kill(Number(pid), signal)
      } catch {
        // It has ended meanwhile.
      }
    }
  }
}

function program(name: 'initdb' | 'postgres'): string {
  return join(preparePrograms(user !== undefined), name)
}

function environment() {
  return { PATH: process.env.PATH, LC_ALL: 'C' }
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-cluster-'))
  if (user) await chown(folder, user.uid, user.gid)
  return folder
}
