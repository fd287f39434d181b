/** A PostgreSQL of the benches' own: reached through a socket of this machine, and with memory as on a small server. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgresServer } from '../../test/support/postgres-server.ts'
import { processorUs } from './processor.ts'

const SETTINGS = {
  shared_buffers: '512MB',
  effective_cache_size: '2GB',
  maintenance_work_mem: '256MB',
  max_wal_size: '4GB',
  max_connections: '200',
  timezone: 'UTC',
}

export interface Postgres {
  /** Of a database of that name, through the socket. */
  urlOf(name: string): string
  create(url: string): Promise<void>
  /** @returns the URL of a copy, which is made of files and takes no time */
  copy(url: string, name: string): Promise<string>
  drop(url: string): Promise<void>
  /** Microseconds of processor that all its processes have used so far. */
  processorUs(): number
  /** Loopback address, for programs that know no sockets. */
  port: number
  user: string
  password: string
  socketFolder: string
  stop(): Promise<void>
}

export async function startPostgres(): Promise<Postgres> {
  const socketFolder = mkdtempSync(join(tmpdir(), 'kith-socket-'))
  // The server may run as another user.
  chmodSync(socketFolder, 0o777)
  const server = await startPostgresServer({ settings: { ...SETTINGS, unix_socket_directories: socketFolder } })
  const { username, password, port } = new URL(server.url)
  const urlOf = (name: string) =>
    `postgresql://${username}:${password}@localhost:${port}/${name}?host=${encodeURIComponent(socketFolder)}`
  const nameOf = (url: string) => new URL(url).pathname.slice(1)
  const rows = async (sql: string) => {
    const client = new pg.Client({ connectionString: urlOf('postgres') })
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }
  const [{ pid }] = await rows(`select split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int as pid`)
  return {
    urlOf,
    create: async (url) => void (await rows(`create database ${nameOf(url)}`)),
    async copy(url, name) {
      await rows(`create database ${name} template ${nameOf(url)}`)
      return urlOf(name)
    },
    drop: async (url) => void (await rows(`drop database ${nameOf(url)} with (force)`)),
    processorUs: () => processorUs(pid),
    port: Number(port),
    user: username,
    password,
    socketFolder,
    async stop() {
      await server.stop()
      rmSync(socketFolder, { recursive: true })
    },
  }
}
