/** etcd, and two PostgreSQL members under Patroni as deploy/patroni.yml sets them up, each on a machine of its own. */
import { execFile, execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseYaml } from '@redocly/openapi-core'
import pg from 'pg'
import { until } from '../support/until.ts'
import { Machine, type User } from './network.ts'

const PATRONI_FILE = join(import.meta.dirname, '../../deploy/patroni.yml')
const SUPERUSER_PASSWORD = 'superuser'
const KITH_PASSWORD = 'kith'
const WHOLE_MS_MAX = 120_000
/**
 * Before 3.0.3 a primary that was frozen took the lead back when it woke, over version 3 of etcd's interface, and what
 * the new one had acknowledged was lost. https://github.com/patroni/patroni/pull/2689
 */
const KNOWS_LEADER_LOST = isAtLeast(patroniVersion(), [3, 0, 3])

export interface ClusterOptions {
  /** Of data, configuration and logs; `user` can enter it. */
  folder: string
  /** Runs etcd, Patroni and PostgreSQL. */
  user: User
  /** Folder of PostgreSQL's programs. */
  programs: string
}

/** What Patroni says of a member at `/cluster`. */
interface MemberState {
  name: string
  role: string
  state: string
  timeline?: number
}

export class Cluster {
  readonly members: readonly Machine[]
  /** Never parted and never killed: with etcd's majority away nobody may be promoted. */
  readonly #etcd: Machine
  readonly #options: ClusterOptions

  constructor(options: ClusterOptions) {
    const { folder } = options
    this.#options = options
    this.#etcd = new Machine('etcd', { place: 10, folder })
    this.members = [1, 2].map((number) => new Machine(`db${number}`, { place: 10 + number, folder }))
  }

  /** Starts all of it. @returns the URL of a new database of Kith's, with both members as its hosts */
  async start(): Promise<string> {
    this.#startEtcd()
    for (const member of this.members) {
      writeFileSync(this.#configOf(member), JSON.stringify(this.#config(member)), { mode: 0o600 })
      chownSync(this.#configOf(member), this.#options.user.uid, this.#options.user.gid)
      this.startMember(member)
    }
    await this.untilWhole()
    await this.query(`create role kith login password '${KITH_PASSWORD}'`)
    await this.query("create database kith owner kith encoding 'UTF8' template template0")
    const hosts = this.members.map(({ address }) => `${address}:5432`).join(',')
    return `postgres://kith:${KITH_PASSWORD}@${hosts}/kith?target_session_attrs=read-write`
  }

  startMember(member: Machine): void {
    member.run(this.#options.user, 'patroni', [this.#configOf(member)])
  }

  /** As Patroni keeps it: a member that has just failed leads until its lease has run out. */
  async leader(): Promise<Machine | undefined> {
    const leader = (await this.#states()).find(({ role, state }) => role === 'leader' && state === 'running')
    return this.members.find(({ name }) => name === leader?.name)
  }

  /** Waits for one that leads and another that follows it, as the one who may be promoted. */
  async untilWhole(): Promise<void> {
    await until(
      'primary and synchronous standby are there',
      async () => (await this.wholeFault()) === undefined,
      WHOLE_MS_MAX,
    )
  }

  /** @returns what is not as it should be, in Patroni's words */
  async wholeFault(): Promise<string | undefined> {
    const states = await this.#states()
    const leader = states.find(({ role }) => role === 'leader')
    const standby = states.find(({ role }) => role === 'sync_standby')
    const isRunning = leader?.state === 'running' && /^(running|streaming)$/.test(standby?.state ?? '')
    return isRunning && standby?.timeline === leader?.timeline ? undefined : JSON.stringify(states)
  }

  /** Asks Patroni to let the standby lead, in good order. */
  async switchOver(): Promise<void> {
    const leader = (await this.leader())!
    const candidate = this.members.find((member) => member !== leader)!
    const order = ['switchover', 'kith', '--candidate', candidate.name, '--force']
    await promisify(execFile)('patronictl', ['-c', this.#configOf(leader), ...order], {
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    })
  }

  /** Runs one statement as superuser on the primary; without `database`, in `postgres`. */
  async query(sql: string, values: unknown[] = [], database = 'postgres') {
    const leader = (await this.leader())!
    const url = `postgres://postgres:${SUPERUSER_PASSWORD}@${leader.address}:5432/${database}`
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
    await client.connect()
    try {
      return (await client.query(sql, values)).rows
    } finally {
      await client.end()
    }
  }

  #startEtcd(): void {
    const data = this.#ownFolder('etcd')
    const versions = KNOWS_LEADER_LOST ? [] : ['--enable-v2=true']
    const own = `http://${this.#etcd.address}`
    const options = [
      ...['--name=etcd', `--data-dir=${data}`, '--logger=zap', '--log-level=warn', '--heartbeat-interval=500'],
      ...['--election-timeout=5000', `--listen-client-urls=${own}:2379`, `--advertise-client-urls=${own}:2379`],
      ...[
        `--listen-peer-urls=${own}:2380`,
        `--initial-advertise-peer-urls=${own}:2380`,
        `--initial-cluster=etcd=${own}:2380`,
      ],
    ]
    this.#etcd.run(this.#options.user, 'etcd', [...options, ...versions])
  }

  /** The file that operators start from, with names, addresses, folders and passwords of this run. */
  #config({ name, address }: Machine): object {
    // biome-ignore lint/suspicious/noExplicitAny: a file whose shape is Patroni's
    const config = parseYaml(readFileSync(PATRONI_FILE, 'utf8')) as any
    const { postgresql, etcd3: _, ...rest } = config
    const folder = this.#ownFolder(name)
    return {
      ...rest,
      name,
      [KNOWS_LEADER_LOST ? 'etcd3' : 'etcd']: { hosts: `${this.#etcd.address}:2379` },
      restapi: { listen: `${address}:8008`, connect_address: `${address}:8008` },
      postgresql: {
        ...postgresql,
        listen: `${address}:5432`,
        connect_address: `${address}:5432`,
        data_dir: join(folder, 'data'),
        bin_dir: this.#options.programs,
        pgpass: join(folder, 'pgpass'),
        parameters: { unix_socket_directories: folder },
        authentication: {
          superuser: { ...postgresql.authentication.superuser, password: SUPERUSER_PASSWORD },
          replication: { ...postgresql.authentication.replication, password: 'replicator' },
        },
        pg_hba: postgresql.pg_hba.map((line: string) => line.replace('10.0.0.0/24', '10.77.0.0/24')),
      },
    }
  }

  #configOf({ name }: Machine): string {
    return join(this.#options.folder, `${name}.json`)
  }

  #ownFolder(name: string): string {
    const { folder, user } = this.#options
    const own = join(folder, name)
    mkdirSync(own, { recursive: true, mode: 0o700 })
    chownSync(own, user.uid, user.gid)
    return own
  }

  async #states(): Promise<MemberState[]> {
    const answers = this.members.map(async ({ address }) => {
      const answer = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(2_000) })
      return ((await answer.json()) as { members: MemberState[] }).members
    })
    return Promise.any(answers).catch(() => [])
  }
}

/** @returns `[3, 0, 2]`; nothing where there is no Patroni */
function patroniVersion(): number[] {
  try {
    const said = execFileSync('patroni', ['--version'], { encoding: 'utf8' })
    return said.match(/\d+/g)!.map(Number)
  } catch {
    return []
  }
}

function isAtLeast(version: number[], wanted: number[]): boolean {
  const at = wanted.findIndex((part, i) => version[i] !== part)
  return at === -1 || (version[at] ?? 0) > wanted[at]!
}
