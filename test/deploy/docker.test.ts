import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readSettings } from '../../server/src/config.ts'
import { until } from '../support/until.ts'
import { contextFiles, copiesOf, environmentOf, listOf, readStages } from './dockerfile.ts'
import { ROOT } from './files.ts'
import { installed } from './installed.ts'

const START_MS_MAX = 120_000
const STAGES = readStages()
const LAST = STAGES.at(-1)!
const read = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
const instructionsOf = (word: string) => LAST.instructions.filter((instruction) => instruction.word === word)

test('every stage of deploy/Dockerfile begins with the Node that Kith is tested with, or with another stage', () => {
  const [pinned] = new Set(Object.values(read('package.json').optionalDependencies))
  const names = STAGES.map(({ name }) => name)
  for (const { from } of STAGES) assert.ok(from === `node:${pinned}-bookworm-slim` || names.includes(from), from)
  assert.ok(!names.includes(LAST.from), 'The last stage begins anew.')
})

test('its last stage runs as nobody in particular, ends on SIGTERM, and says how it is', () => {
  const [user] = instructionsOf('USER')
  assert.match(user!.rest, /^[1-9]\d*:[1-9]\d*$/)
  assert.deepEqual(LAST.instructions.indexOf(user!) > lastIndex('RUN'), true)
  assert.deepEqual(instructionsOf('STOPSIGNAL'), [{ word: 'STOPSIGNAL', rest: 'SIGTERM' }])
  assert.match(instructionsOf('HEALTHCHECK')[0]!.rest, /CMD \["node", "healthcheck.mjs"\]$/)
})

test('its last stage keeps data in a volume of its user, and its settings can be used', () => {
  const { NODE_ENV, ...env } = environmentOf(LAST)
  assert.equal(NODE_ENV, 'production')
  assert.deepEqual(instructionsOf('VOLUME'), [{ word: 'VOLUME', rest: env.KITH_DATA }])
  const { config } = readSettings({ env })
  assert.deepEqual(instructionsOf('EXPOSE'), [{ word: 'EXPOSE', rest: String(config.http.port) }])
  assert.equal(config.http.allowsInsecure, false)
  const made = LAST.instructions.find(({ rest }) => rest.includes(`install --directory`))!
  const [uid, gid] = instructionsOf('USER')[0]!.rest.split(':')
  assert.match(made.rest, new RegExp(`--owner=${uid} --group=${gid} --mode=0700 ${env.KITH_DATA}`))
})

test('everything that a stage copies is there, and sent to Docker', () => {
  for (const stage of STAGES) {
    for (const copy of copiesOf(stage)) {
      if (copy.stage) assert.ok(STAGES.some(({ name }) => name === copy.stage))
      else for (const source of copy.sources) assert.ok(contextFiles(source).length > 0, `${source} is not sent`)
    }
  }
})

test('Docker is sent no test, no package and no build', () => {
  const sent = ['server', 'web', 'deploy'].flatMap(contextFiles)
  assert.ok(sent.includes('server/src/main.ts'))
  assert.deepEqual(
    sent.filter((path) => /node_modules|\.test\.ts$|testdata|\/dist\/|\.env|\.key$/.test(path)),
    [],
  )
})

test('what the last stage holds suffices: Kith runs on it as the container would, and ends in good order', async (t) => {
  const folder = await imageFolder(t)
  const { bundleFolder } = await import(join(folder, 'server/build/bundle-folder.mjs'))
  assert.ok(existsSync(bundleFolder()), 'It would run the source: the bundle is not that of the source beside it.')
  const data = join(folder, 'data')
  const settings = { ...environmentOf(LAST), KITH_DATA: data, KITH_HOST: '127.0.0.1', KITH_PORT: '0' }
  const [, ...words] = [...listOf(LAST, 'ENTRYPOINT'), ...listOf(LAST, 'CMD'), '--json']
  const kith = startThere(folder, data, { words, env: settings })
  t.after(() => void kith.kill('SIGKILL'))
  let said = ''
  let log = ''
  kith.stdout!.setEncoding('utf8').on('data', (chunk) => (said += chunk))
  kith.stderr!.setEncoding('utf8').on('data', (chunk) => (log += chunk))
  await until('Kith has started', () => said.includes('\n') || kith.exitCode !== null, START_MS_MAX)
  assert.equal(kith.exitCode, null, log)
  const { url } = JSON.parse(said)
  const statusOf = async (path: string) => (await fetch(url + path)).status
  for (const path of ['/', '/setup', '/docs', '/openapi.json', '/readyz']) assert.equal(await statusOf(path), 200, path)
  assert.equal(await statusOf('/api/v1/contacts'), 401)

  const check = () => {
    const env = { ...settings, KITH_PORT: new URL(url).port }
    return spawnSync(process.execPath, ['healthcheck.mjs'], { cwd: folder, env }).status
  }
  assert.equal(check(), 0)
  const ended = once(kith, 'exit')
  kith.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null], log)
  assert.equal(check(), 1)
})

/** A folder with what the last stage copies, in the places that it copies it to. */
async function imageFolder(t: TestContext): Promise<string> {
  // As a stage before does; it is there after set-up.
  execFileSync(process.execPath, [join(ROOT, 'server/build/bundle.mjs')])
  const folder = await mkdtemp(join(tmpdir(), 'kith-image-'))
  t.after(() => rmSync(folder, { recursive: true }))
  chmodSync(folder, 0o755)
  for (const { stage, sources, target } of copiesOf(LAST)) {
    if (stage === 'packages') for (const path of serverPackages()) copyInto(folder, path, path)
    else if (stage) for (const source of sources) copyInto(folder, source.replace('/opt/kith/', ''), target)
    else for (const path of sources.flatMap(contextFiles)) copyInto(folder, path, path.replace(sources[0]!, target))
  }
  mkdirSync(join(folder, 'data'), { mode: 0o777 })
  chmodSync(join(folder, 'data'), 0o777)
  return folder
}

function copyInto(folder: string, from: string, to: string): void {
  mkdirSync(dirname(join(folder, to)), { recursive: true })
  cpSync(join(ROOT, from), join(folder, to), {
    recursive: true,
    filter: (path) => !/node_modules\/.*\/node_modules$/.test(path),
  })
}

interface LockedPackage {
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** What `npm ci --workspace=server --omit=dev` installs, by the lockfile: the server's packages, and theirs in turn. */
function serverPackages(): string[] {
  const locked: Record<string, LockedPackage> = read('package-lock.json').packages
  const found = new Set<string>()
  const queue = ['server']
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const { dependencies, optionalDependencies } = locked[path]!
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = placeOf(name, path, locked)
      if (!place || found.has(place)) continue
      found.add(place)
      queue.push(place)
    }
  }
  return [...found].filter((path) => existsSync(join(ROOT, path)))
}

/** Where Node finds a package from: in the nearest node_modules, going up. */
function placeOf(name: string, from: string, locked: Record<string, LockedPackage>): string | undefined {
  for (let folder = from; ; folder = folder.replace(/\/?(?:node_modules\/)?(?:@[^/]+\/)?[^/]*$/, '')) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (place in locked) return place
    if (folder === '') return undefined
  }
}

/** As the container is run: where this user may do it, as another user and with everything but the data read-only. */
function startThere(folder: string, data: string, { words, env }: Start): ChildProcess {
  const here: SpawnOptions = {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  }
  if (process.getuid?.() !== 0 || !installed('unshare') || !installed('setpriv')) {
    return spawn(process.execPath, words, here)
  }
  const [uid, gid] = instructionsOf('USER')[0]!.rest.split(':')
  // That user may be unable to enter the clone: Node is seen in the folder too.
  const script = `
    folder=$1 data=$2 node=$3
    shift 3
    : > "$folder/node" && mount --bind "$folder" "$folder" && mount --bind "$node" "$folder/node" &&
    mount -t tmpfs -o uid=${uid},gid=${gid},mode=0700 tmpfs "$data" &&
    mount -o remount,bind,ro "$folder" && mount -o remount,bind,ro / && cd "$folder" &&
    exec setpriv --reuid=${uid} --regid=${gid} --clear-groups --no-new-privs -- "$folder/node" "$@"`
  return spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', folder, data, process.execPath, ...words], here)
}

interface Start {
  words: string[]
  env: Record<string, string>
}

function lastIndex(word: string): number {
  return LAST.instructions.findLastIndex((instruction) => instruction.word === word)
}
