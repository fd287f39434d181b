/** Machines that are network namespaces on one bridge: each can be killed, frozen and parted from the others. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../support/until.ts'

const BRIDGE = 'kith-bridge'
const NETWORK = '10.77.0'
/** A program that is being ended may start another one meanwhile: all are looked for again until none is left. */
const END_MS_MAX = 20_000

export interface User {
  uid: number
  gid: number
}

/** Makes the bridge, in the namespace that this process runs in. @returns the address that machines reach it at */
export function makeBridge(): string {
  mkdirSync('/run/netns', { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', '/run/netns'])
  ip('link', 'set', 'lo', 'up')
  ip('link', 'add', BRIDGE, 'type', 'bridge')
  ip('address', 'add', `${NETWORK}.1/24`, 'dev', BRIDGE)
  ip('link', 'set', BRIDGE, 'up')
  return `${NETWORK}.1`
}

export class Machine {
  readonly name: string
  readonly address: string
  readonly #log: number

  /**
   * @param place the last part of its address
   * @param folder where what its programs write is kept, as `NAME.log`
   */
  constructor(name: string, { place, folder }: { place: number; folder: string }) {
    this.name = name
    this.address = `${NETWORK}.${place}`
    this.#log = openSync(join(folder, `${name}.log`), 'a')
    ip('netns', 'add', name)
    ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
    ip('-n', name, 'address', 'add', `${this.address}/24`, 'dev', 'eth0')
    ip('-n', name, 'link', 'set', 'eth0', 'up')
    ip('-n', name, 'link', 'set', 'lo', 'up')
    ip('link', 'set', name, 'master', BRIDGE, 'up')
  }

  /** Starts a program there, as `user`. */
  run({ uid, gid }: User, program: string, options: string[]): ChildProcess {
    const asUser = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--', program, ...options]
    return spawn('ip', ['netns', 'exec', this.name, ...asUser], {
      cwd: '/',
      env: { PATH: `${process.env.PATH}:/usr/sbin:/sbin`, LC_ALL: 'C.UTF-8' },
      stdio: ['ignore', this.#log, this.#log],
    })
  }

  /** Power off: every program is killed at once. */
  async kill(isOne: (command: string) => boolean = () => true): Promise<void> {
    const killed = () =>
      signalAll(
        this.#pids().filter((pid) => isOne(commandOf(pid))),
        'SIGKILL',
      )
    await until(`${this.name} has ended`, () => killed() === 0, END_MS_MAX)
  }

  /** Every program stands still, as when its machine is paused; the system goes on taking what arrives. */
  async freeze(): Promise<void> {
    let stopped = -1
    await until(`${this.name} stands still`, () => {
      const before = stopped
      stopped = signalAll(this.#pids(), 'SIGSTOP')
      return stopped === before
    })
  }

  wake(): void {
    signalAll(this.#pids(), 'SIGCONT')
  }

  /** Nothing reaches it and nothing comes from it; no connection is told. */
  part(): void {
    ip('link', 'set', this.name, 'down')
  }

  join(): void {
    ip('link', 'set', this.name, 'up')
  }

  #pids(): number[] {
    return ip('netns', 'pids', this.name).split('\n').filter(Boolean).map(Number)
  }
}

function signalAll(pids: number[], signal: NodeJS.Signals): number {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code !== 'ESRCH') throw err
    }
  }
  return pids.length
}

/** @returns the command line that the process shows; empty when it has ended */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

function ip(...options: string[]): string {
  return execFileSync('ip', options, { encoding: 'utf8' })
}
