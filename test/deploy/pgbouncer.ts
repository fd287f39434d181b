/** A PgBouncer of a test's own, which lends its connections for one transaction at a time. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, serverUser } from '../support/postgres-server.ts'
import { until } from '../support/until.ts'
import { installed } from './installed.ts'

export class PgBouncer {
  readonly #process: ChildProcess
  readonly #folder: string
  readonly #url: URL

  /**
   * @param url of the PostgreSQL behind it, whose databases it passes on by their names
   * @param settings beside the ones that it needs; PgBouncer's own defaults hold for the rest
   */
  static async start(url: string, settings: Record<string, string> = {}): Promise<PgBouncer> {
    const { hostname, port, username, password } = new URL(url)
    const ownPort = await freePort()
    const folder = await mkdtemp(join(tmpdir(), 'kith-pgbouncer-'))
    const file = join(folder, 'pgbouncer.ini')
    const own = { pool_mode: 'transaction', listen_addr: '127.0.0.1', listen_port: ownPort, ...settings }
    const lines = [
      '[databases]',
      `* = host=${hostname} port=${port} user=${username} password=${password}`,
      '[pgbouncer]',
      'auth_type = any',
      'unix_socket_dir =',
      // A database is dropped after a test, which waits for its connections.
      'server_idle_timeout = 1',
      ...Object.entries(own).map(([name, value]) => `${name} = ${value}`),
    ]
    await writeFile(file, `${lines.join('\n')}\n`)
    const user = serverUser()
    if (user) for (const path of [file, folder]) await chown(path, user.uid, user.gid)
    const child = spawn(installed('pgbouncer')!, [file], { ...user, stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.on('data', (chunk) => (said += chunk))
    await until('PgBouncer has started', () => {
      if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}: ${said}`)
      return said.includes('process up')
    })
    const through = new URL(url)
    through.host = `127.0.0.1:${ownPort}`
    return new PgBouncer(child, folder, through)
  }

  private constructor(child: ChildProcess, folder: string, url: URL) {
    this.#process = child
    this.#folder = folder
    this.#url = url
  }

  /** As that of the PostgreSQL behind it. */
  url(database = 'postgres'): string {
    const url = new URL(this.#url)
    url.pathname = `/${database}`
    return url.href
  }

  async close(): Promise<void> {
    const ended = once(this.#process, 'exit')
    this.#process.kill('SIGKILL')
    await ended
    await rm(this.#folder, { recursive: true, force: true })
  }
}
