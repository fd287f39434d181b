/** Peers are installed into the temporary folder, out of npm's registry, and stay there for the next run. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface Packages {
  /** Of the peer: its packages lie in a folder of that name. */
  name: string
  /** Name and version. */
  packages: Record<string, string>
  /** Those that may run their install scripts; none unless said. */
  scripts?: readonly string[]
}

/** The Node that peers are made for: they say which, and it is not the newest. */
const NODE = { [`node-${process.platform}-${process.arch}`]: '22.23.3' }
const INSTALL_MS_MAX = 20 * 60_000

/** @returns the folder that holds `node_modules` */
export async function installed({ name, packages, scripts = [] }: Packages): Promise<string> {
  const folder = join(tmpdir(), 'kith-peers', name)
  if (existsSync(folder)) return folder
  const unfinished = `${folder}-${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  try {
    const allowScripts = Object.fromEntries(scripts.map((script) => [script, true]))
    const description = { private: true, dependencies: { ...NODE, ...packages }, allowScripts }
    writeFileSync(join(unfinished, 'package.json'), JSON.stringify(description))
    await npm(unfinished, 'install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error')
    if (scripts.length > 0) await npm(unfinished, 'rebuild', ...scripts)
    renameSync(unfinished, folder)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
  return folder
}

/** What is compiled has to fit the Node that runs it, whose headers its package has. */
async function npm(folder: string, ...args: string[]): Promise<void> {
  const node = join(folder, 'node_modules', Object.keys(NODE)[0]!)
  const env = { ...process.env, PATH: `${join(node, 'bin')}:${process.env.PATH}`, npm_config_nodedir: node }
  await promisify(execFile)('npm', args, { cwd: folder, env, timeout: INSTALL_MS_MAX, maxBuffer: 2 ** 26 })
}

/** The Node of a peer's folder. */
export function nodeOf(folder: string): string {
  return join(folder, 'node_modules', Object.keys(NODE)[0]!, 'bin/node')
}
