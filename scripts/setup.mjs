// Makes this clone ready to run and to test, when something has changed since the last time.
// Plain JavaScript for any Node from 20 on: nothing is installed yet when it starts.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleFolder } from '../server/build/bundle-folder.mjs'

const NODE_MAJOR_FOR_SETUP = 20
const NODE_MAJOR_FOR_KITH = 24

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const manifest = readJson('package.json')

if (majorOf(process.version) < NODE_MAJOR_FOR_SETUP) {
  fail(`Kith needs Node ${NODE_MAJOR_FOR_SETUP} or later to set itself up; this is ${process.version}.`)
}
once('dependencies', fingerprintOfDependencies, () => {
  if (!dependenciesMatchLockfile()) installDependencies()
  linkPinnedNode()
  checkNode()
})
once('web app', fingerprintOfWebApp, buildWebApp)
if (!existsSync(bundleFolder())) alone(bundleServer)

/**
 * Does `work` unless it has succeeded before with the same `fingerprint()`; one process at a time in a clone.
 * What has been done is kept in node_modules, so removing that folder forgets it.
 */
function once(name, fingerprint, work) {
  const record = join(root, 'node_modules', '.kith', name)
  const isDone = () => existsSync(record) && readFileSync(record, 'utf8') === fingerprint()
  if (isDone()) return
  alone(() => {
    if (isDone()) return
    work()
    mkdirSync(dirname(record), { recursive: true })
    writeFileSync(record, fingerprint())
  })
}

function fingerprintOfDependencies() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`)
  hash.update(readFileSync(join(root, 'package-lock.json')))
  for (const folder of ['.', ...manifest.workspaces]) {
    const { scripts: _, ...rest } = readJson(folder, 'package.json')
    hash.update(JSON.stringify(rest))
  }
  return hash.digest('hex')
}

/** True where npm has just installed what the lockfile says, so that `npm install x` needs no second installation. */
function dependenciesMatchLockfile() {
  const hidden = join('node_modules', '.package-lock.json')
  if (!existsSync(join(root, hidden))) return false
  const installed = readJson(hidden).packages
  return Object.entries(readJson('package-lock.json').packages).every(([path, wanted]) => {
    if (!path.includes('node_modules/')) return true
    const found = installed[path]
    return found ? found.version === wanted.version : wanted.optional && !isForThisMachine(wanted)
  })
}

/** One without `os` and `cpu` belongs to another that has them, such as what is in WebAssembly in place of a binary. */
function isForThisMachine({ os, cpu, libc }) {
  if (os === undefined && cpu === undefined) return false
  const isGlibc = () => process.report.getReport().header.glibcVersionRuntime !== undefined
  const allows = (list, own) => list === undefined || [list].flat().includes(own())
  return (
    allows(os, () => process.platform) &&
    allows(cpu, () => process.arch) &&
    allows(libc, () => (isGlibc() ? 'glibc' : 'musl'))
  )
}

function installDependencies() {
  // npm would empty the folder that the link leads to, whoever uses it.
  if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) {
    fail('node_modules is a link, and what is behind it does not fit. Set up the folder that it leads to.')
  }
  console.error('Setting up Kith (once, about half a minute)…')
  const npmArguments = ['ci', '--include=dev', '--include=optional', '--loglevel=error', '--progress=false']
  const { npm_node_execpath: npmNode, npm_execpath: npmScript } = process.env
  const isCalledFromNpm = npmNode && /npm-cli\.c?js$/.test(npmScript ?? '')
  const [command, ...first] = isCalledFromNpm ? [npmNode, npmScript] : ['npm']
  const npm = spawnSync(command, [...first, ...npmArguments], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  if (npm.error) fail(`npm could not be started: ${npm.error.message}`)
  if (npm.status !== 0) fail('npm could not install what Kith is built on; what it said is above.')
}

/** npm 10 leaves `.bin/node` out when several packages of the lockfile name that same command. */
function linkPinnedNode() {
  const link = pinnedNode()
  if (existsSync(link)) return
  const name = pinnedPackages().find((candidate) => existsSync(join(root, 'node_modules', candidate, 'bin', 'node')))
  if (!name) return
  rmSync(link, { force: true })
  symlinkSync(join('..', name, 'bin', 'node'), link)
}

function pinnedNode() {
  return join(root, 'node_modules', '.bin', 'node')
}

function pinnedPackages() {
  const own = `${process.platform}-${process.arch}`
  return Object.keys(manifest.optionalDependencies).filter((name) => name.startsWith('node-') && name.endsWith(own))
}

/** Where no pinned Node starts, `node` in npm's scripts has to be the user's own: the link is taken away. */
function checkNode() {
  const link = pinnedNode()
  const pinned = versionOf(link)
  if (majorOf(pinned.version) >= NODE_MAJOR_FOR_KITH) return
  rmSync(link, { force: true })
  const own = versionOf('node')
  if (majorOf(own.version) >= NODE_MAJOR_FOR_KITH) return
  fail(
    `Kith runs on Node ${NODE_MAJOR_FOR_KITH} or later. The one that comes with it does not start on ` +
      `${process.platform}-${process.arch} (${pinned.fault}), and yours is ${own.version || 'not found'}.\n` +
      `Install a current Node (https://nodejs.org/en/download) and run this again.`,
  )
}

function versionOf(command) {
  const { error, status, signal, stdout, stderr } = spawnSync(command, ['--version'], { encoding: 'utf8' })
  if (status === 0) return { version: stdout.trim() }
  return { version: '', fault: error?.code ?? (stderr.trim().split('\n')[0] || `ended with ${signal ?? status}`) }
}

function majorOf(version) {
  return Number(/^v(\d+)\./.exec(version)?.[1] ?? 0)
}

/**
 * Of all that the web app is built from: its own files, and those of the server that the last build found it imports
 * (a new one is imported by a file that has changed).
 */
function fingerprintOfWebApp() {
  const web = join(root, 'web')
  if (!existsSync(join(web, 'dist', 'index.html'))) return 'not built'
  const own = readdirSync(web, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !/[\\/](?:dist|dist-new|node_modules)[\\/]|\.test\.ts$/.test(path))
  const foreign = readJson('web', 'dist', 'server-files.json').map((path) => join(root, path))
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')))
  for (const path of [...own, ...foreign].sort()) {
    hash.update(`${path.slice(root.length)}\n`)
    hash.update(existsSync(path) ? readFileSync(path) : 'gone')
  }
  return hash.digest('hex')
}

/** Into a folder of its own, so that a server that runs meanwhile keeps the files that it serves. */
function buildWebApp() {
  const [dist, next] = ['dist', 'dist-new'].map((name) => join(root, 'web', name))
  const vite = [join('node_modules', 'vite', 'bin', 'vite.js'), 'build', 'web', '--outDir', 'dist-new']
  build('The web app', [...vite, '--emptyOutDir', '--logLevel', 'warn'])
  rmSync(dist, { recursive: true, force: true })
  renameSync(next, dist)
}

/** Of one source there is one bundle, in a folder of its own: no record is needed. */
function bundleServer() {
  build('The server', [join('server', 'build', 'bundle.mjs')])
}

function build(what, program) {
  const node = existsSync(pinnedNode()) ? pinnedNode() : 'node'
  const { status } = spawnSync(node, program, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) fail(`${what} could not be built; what the build said is above.`)
}

/** Runs `work` while no other set-up of this clone runs. */
function alone(work) {
  const key = createHash('sha256').update(root).digest('hex').slice(0, 16)
  const lock = join(tmpdir(), `kith-setup-${process.getuid?.()}-${key}.lock`)
  while (!take(lock)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  const release = () => rmSync(lock, { force: true })
  process.once('exit', release)
  work()
  process.off('exit', release)
  release()
}

function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (err) {
    if (err.code !== 'EEXIST') throw err
    if (!isHeld(lock)) rmSync(lock, { force: true })
    return false
  }
}

/** A lock counts while its process lives, and for ten minutes at most: a process id is given out again. */
function isHeld(lock) {
  try {
    const { mtimeMs } = statSync(lock)
    return Date.now() - mtimeMs < 600_000 && process.kill(Number(readFileSync(lock, 'utf8')) || process.pid, 0)
  } catch (err) {
    return err.code === 'EPERM'
  }
}

function readJson(...path) {
  return JSON.parse(readFileSync(join(root, ...path), 'utf8'))
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
