/** A real HAProxy with deploy/haproxy.cfg, on free loopback ports before given servers. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request as plainRequest } from 'node:http'
import { Agent, request } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { makeCertificate } from '../../server/src/webhooks/test-certificates.ts'
import { freePort } from '../support/postgres-server.ts'
import { until } from '../support/until.ts'
import { installed } from './installed.ts'

const CONFIG = join(import.meta.dirname, '../../deploy/haproxy.cfg')
const START_MS_MAX = 20_000

export interface ProxyAnswer {
  status: number
  headers: IncomingMessage['headers']
  text: string
}

export interface Call {
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
  /** The address that it comes from, of loopback. */
  from?: string
}

export class Haproxy {
  readonly httpsPort: number
  readonly httpPort: number
  readonly #folder: string
  readonly #process: ChildProcess
  readonly #agent = new Agent({ keepAlive: true, rejectUnauthorized: false })
  #said = ''

  private constructor(parts: { folder: string; ports: number[]; process: ChildProcess }) {
    this.#folder = parts.folder
    ;[this.httpPort, this.httpsPort] = parts.ports as [number, number]
    this.#process = parts.process
    this.#process.stdout!.setEncoding('utf8').on('data', (chunk) => (this.#said += chunk))
    this.#process.stderr!.setEncoding('utf8').on('data', (chunk) => (this.#said += chunk))
  }

  /**
   * @param serverPorts of the servers of its configuration, in their order
   * @param attempts how often to start it: another process may take the free ports first
   */
  static async start(serverPorts: number[], attempts = 3): Promise<Haproxy> {
    const folder = await mkdtemp(join(tmpdir(), 'kith-haproxy-'))
    const ports = [await freePort(), await freePort()]
    const { cert, key } = makeCertificate({ names: ['localhost'] })
    await writeFile(join(folder, 'kith.pem'), cert + key)
    await writeFile(join(folder, 'haproxy.cfg'), config({ folder, ports, serverPorts }))
    await chmod(folder, 0o755)
    const process = spawn(installed('haproxy')!, ['-db', '-f', join(folder, 'haproxy.cfg')], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const proxy = new Haproxy({ folder, ports, process })
    const isUp = () =>
      proxy.servers().then(
        ({ length }) => length === serverPorts.length,
        () => false,
      )
    await until('HAProxy has started', async () => process.exitCode !== null || (await isUp()), START_MS_MAX)
    if (process.exitCode === null) return proxy
    await rm(folder, { recursive: true })
    if (attempts > 1) return Haproxy.start(serverPorts, attempts - 1)
    throw new Error(`HAProxy did not start: ${proxy.#said}`)
  }

  async close(): Promise<void> {
    this.#agent.destroy()
    if (this.#process.exitCode === null) {
      const ended = once(this.#process, 'exit')
      this.#process.kill('SIGTERM')
      await ended
    }
    await rm(this.#folder, { recursive: true })
  }

  /** Its log, and what it complained about. */
  get log(): string {
    return this.#said
  }

  /** Of its servers: the name, the state (`UP`, `DOWN`, `DRAIN` …), and how many requests each is at. */
  async servers(): Promise<{ name: string; state: string; sessions: number }[]> {
    const [head = '', ...lines] = (await this.command('show stat')).split('\n')
    const columns = head.replace('# ', '').split(',')
    const rows = lines.filter((line) => line.includes(',')).map((line) => line.split(','))
    const at = (row: string[], column: string) => row[columns.indexOf(column)]!
    return rows
      .filter((row) => !['FRONTEND', 'BACKEND'].includes(at(row, 'svname')))
      .map((row) => ({ name: at(row, 'svname'), state: at(row, 'status'), sessions: Number(at(row, 'scur')) }))
  }

  async sessions(name: string): Promise<number | undefined> {
    return (await this.servers()).find((server) => server.name === name)?.sessions
  }

  async untilServer(name: string, state: string): Promise<void> {
    const stateNow = async () => (await this.servers()).find((server) => server.name === name)?.state
    await until(`${name} is ${state}`, async () => (await stateNow())?.startsWith(state))
  }

  /** As an operator gives it at the socket. */
  async command(line: string): Promise<string> {
    const socket = connect(join(this.#folder, 'admin.sock'))
    socket.end(`${line}\n`)
    return text(socket)
  }

  get(path: string, call: Call = {}): Promise<ProxyAnswer> {
    return this.send(path, call)
  }

  /** Over TLS. */
  async send(path: string, { method = 'GET', headers = {}, body, from }: Call = {}): Promise<ProxyAnswer> {
    const agent = from === undefined ? this.#agent : new Agent({ rejectUnauthorized: false, localAddress: from })
    const options = { agent, port: this.httpsPort, host: '127.0.0.1', path, method, headers }
    return answerTo(request(options).end(body))
  }

  async sendPlain(path: string, headers: Record<string, string> = {}): Promise<ProxyAnswer> {
    return answerTo(plainRequest({ port: this.httpPort, host: '127.0.0.1', path, headers, agent: false }).end())
  }

  /** A request whose answer does not end: `heard` gathers what has come of it. */
  async listen(path: string, headers: Record<string, string>): Promise<{ heard(): string; close(): void }> {
    const call = request({ agent: this.#agent, port: this.httpsPort, host: '127.0.0.1', path, headers })
    const [answer] = (await once(call.end(), 'response')) as [IncomingMessage]
    let heard = ''
    answer.setEncoding('utf8').on('data', (chunk) => (heard += chunk))
    answer.on('error', () => {})
    return { heard: () => heard, close: () => call.destroy() }
  }
}

/** The file as it is, but for its ports, addresses and paths, and for as many connections as any user may open. */
function config(parts: { folder: string; ports: number[]; serverPorts: number[] }): string {
  const { folder, ports, serverPorts } = parts
  let servers = 0
  return readFileSync(CONFIG, 'utf8')
    .replace('  maxconn 8000\n', '  maxconn 200\n')
    .replace('bind :80\n', `bind 127.0.0.1:${ports[0]}\n`)
    .replace('bind :443 ', `bind 127.0.0.1:${ports[1]} `)
    .replace('/etc/haproxy/kith.pem', join(folder, 'kith.pem'))
    .replace('/var/run/haproxy-admin.sock', join(folder, 'admin.sock'))
    .replaceAll(/^( {2}server \w+) \S+$/gm, (_line, start) => `${start} 127.0.0.1:${serverPorts[servers++]}`)
}

async function answerTo(call: ReturnType<typeof request>): Promise<ProxyAnswer> {
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  return { status: answer.statusCode!, headers: answer.headers, text: await text(answer) }
}
