/**
 * `npm run test:failover`: a PostgreSQL that fails over, three Kith processes, writers with a ledger, and faults.
 *
 * It runs in namespaces of its own (network, processes, mounts): when it ends, in whatever way, the system ends every
 * program that it has started and removes the networks. Needs root, and what it says is missing where it is not there.
 * `--rounds N` strikes with every fault N times, `--only TEXT` with those that have it in their name.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, chmodSync, constants, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runFailover } from './run.ts'

const FOLDER = 'kith-failover-'
const PROGRAMS = ['ip', 'unshare', 'setpriv', 'mount', 'etcd', 'patroni', 'patronictl']
const POSTGRES_PROGRAMS = '/usr/lib/postgresql/*/bin'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1' },
    inside: { type: 'string' },
    only: { type: 'string', default: '' },
  },
})

if (values.inside) await inside(values.inside)
else await outside()

async function outside(): Promise<void> {
  const missing = missingParts()
  if (missing.length > 0) {
    console.log(`skipped: the failover test needs ${missing.join(', ')}`)
    return
  }
  for (const left of globSync(join(tmpdir(), `${FOLDER}*`))) if (!isInUse(left)) rmSync(left, { recursive: true })
  const folder = mkdtempSync(join(tmpdir(), `${FOLDER}${process.pid}-`))
  chmodSync(folder, 0o711)
  // The shell is the first process of the namespace, so that somebody takes leave of those whose parent was killed.
  const namespaces = ['--net', '--mount', '--pid', '--fork', '--kill-child=KILL', '--mount-proc']
  const again = [process.execPath, import.meta.filename, ...process.argv.slice(2), '--inside', folder]
  const run = spawn('unshare', [...namespaces, 'sh', '-c', '"$@"; exit $?', 'sh', ...again], {
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  // Who is inside ends when its standard input does, so also when this process is killed.
  let isInterrupted = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      isInterrupted = true
      run.stdin.end()
    })
  }
  const [code] = await once(run, 'exit')
  if (code === 0 || isInterrupted) rmSync(folder, { recursive: true })
  else console.log(`Logs: ${folder}`)
  process.exitCode = code ?? 1
}

async function inside(folder: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1))
  process.stdin.resume().on('end', () => process.exit(1))
  const faults = await runFailover({
    folder,
    rounds: Number(values.rounds),
    only: values.only,
    user: { uid: idOf('-u'), gid: idOf('-g') },
    programs: postgresPrograms()!,
  })
  process.exit(faults === 0 ? 0 : 1)
}

function missingParts(): string[] {
  const root = process.getuid?.() === 0 ? [] : ['root']
  const programs = PROGRAMS.filter((name) => !isProgram(name)).map((name) => `the program ${name}`)
  const postgres = postgresPrograms() ? [] : [`PostgreSQL in ${POSTGRES_PROGRAMS}`]
  return [...root, ...programs, ...postgres]
}

function isProgram(name: string): boolean {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/sbin']
  return folders.some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** The newest, of the versions that are there. */
function postgresPrograms(): string | undefined {
  const version = (path: string) => Number(path.split('/').at(-2))
  return globSync(POSTGRES_PROGRAMS)
    .sort((one, other) => version(one) - version(other))
    .at(-1)
}

/** A run that still goes on has its process id in its folder's name. */
function isInUse(folder: string): boolean {
  const pid = Number(folder.split('-').at(-2))
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** PostgreSQL refuses to run as root. */
function idOf(which: '-u' | '-g'): number {
  for (const user of ['postgres', 'nobody']) {
    try {
      return Number(execFileSync('id', [which, user], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
    } catch {}
  }
  throw new Error('There is neither a user postgres nor a user nobody.')
}
