/** Requests from another process: `wrk` where the machine has it, which leaves the server more of a processor; else autocannon. */
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface Request {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT'
  /** With what is asked for. */
  path: string
  headers?: Record<string, string>
  body?: string
}

export interface Load {
  url: string
  connections: number
  seconds: number
  /** Sent in turn, again from the first after the last. */
  requests: readonly Request[]
}

export interface Loaded {
  /** Requests that were answered. */
  answered: number
  perSecond: number
  /** Milliseconds. */
  p50: number
  p99: number
}

const run = promisify(execFile)

/** What makes the load on this machine. */
export const loadProgram = hasWrk() ? 'wrk' : 'autocannon'

/** Sends requests over so many connections, each the next when the one before is answered. @throws Error unless all are 2xx */
export async function load(wanted: Load): Promise<Loaded> {
  const { failed, ...loaded } = await (loadProgram === 'wrk' ? loadByWrk(wanted) : loadByAutocannon(wanted))
  if (failed > 0)
    throw new Error(`${failed} requests failed: ${wanted.requests[0]!.method} ${wanted.requests[0]!.path}`)
  return loaded
}

type Outcome = Loaded & { failed: number }

/** The package has no types. */
interface AutocannonResult {
  '2xx': number
  non2xx: number
  errors: number
  timeouts: number
  duration: number
  latency: { p50: number; p99: number }
}

async function loadByAutocannon({ url, connections, seconds, requests }: Load): Promise<Outcome> {
  const autocannon: (options: object) => Promise<AutocannonResult> = createRequire(import.meta.url)('autocannon')
  const result = await autocannon({ url, connections, duration: seconds, requests })
  const { p50, p99 } = result.latency
  return {
    answered: result['2xx'],
    perSecond: result['2xx'] / result.duration,
    p50,
    p99,
    failed: result.non2xx + result.errors + result.timeouts,
  }
}

/**
 * Reads whole requests, each behind its length, and prints the outcome as JSON. `wrk` takes every status below 400 for
 * a success, so the answers that are not are counted here where a server could redirect; none of those measured does.
 */
const WRK_SCRIPT = `
local requests, at = {}, 0
function init(args)
  local file = assert(io.open(args[1], "rb"))
  while true do
    local length = file:read("*n")
    if not length then break end
    file:read(1)
    requests[#requests + 1] = file:read(length)
  end
  file:close()
end
function request()
  at = at % #requests + 1
  return requests[at]
end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format('{"answered":%d,"us":%d,"p50":%d,"p99":%d,"failed":%d}\\n', summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), e.connect + e.read + e.write + e.status + e.timeout))
end
`

async function loadByWrk({ url, connections, seconds, requests }: Load): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'kith-load-'))
  try {
    const [script, texts] = [join(folder, 'load.lua'), join(folder, 'requests')]
    writeFileSync(script, WRK_SCRIPT)
    writeFileSync(texts, requests.map((request) => lengthAndText(request, new URL(url).host)).join(''))
    const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '60s', '-s', script]
    const { stdout } = await run('wrk', [...options, url, '--', texts])
    const { answered, us, p50, p99, failed } = JSON.parse(stdout.trim().split('\n').at(-1)!)
    return { answered, perSecond: answered / (us / 1e6), p50: p50 / 1000, p99: p99 / 1000, failed }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function lengthAndText({ method, path, headers, body = '' }: Request, host: string): string {
  const length = method === 'GET' ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ host, ...headers, ...length }).map(([name, value]) => `${name}: ${value}\r\n`)
  const text = `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
  return `${Buffer.byteLength(text)}\n${text}`
}

function hasWrk(): boolean {
  try {
    execFileSync('wrk', ['-v'], { stdio: 'ignore' })
  } catch (err) {
    // It ends with 1 when asked for its version.
    return (err as NodeJS.ErrnoException).code !== 'ENOENT'
  }
  return true
}
