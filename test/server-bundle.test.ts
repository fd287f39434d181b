import assert from 'node:assert/strict'
import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { until } from './support/until.ts'

const ROOT = join(import.meta.dirname, '..')
const FROM_BUNDLE = 'from the bundle\n'

test('kith runs the bundle of the source as it is, and where there is none the source', async (t) => {
  const clone = await newClone(t)
  assert.equal(clone.help().stderr, '')
  assert.match(clone.help().stdout, /^Usage: kith COMMAND\n/)
  markBundle(clone.build())
  assert.equal(clone.help().stderr, FROM_BUNDLE)
  assert.match(clone.help().stdout, /^Usage: kith COMMAND\n/)

  const changeBack = clone.change('server/src/commands/help.ts', 'Usage:', 'Use:')
  const changed = clone.help()
  assert.deepEqual([changed.stderr, changed.stdout.split('\n', 1)], ['', ['Use: kith COMMAND']])
  markBundle(clone.build())
  assert.equal(clone.help().stderr, FROM_BUNDLE)
  assert.match(clone.help().stdout, /^Use: kith COMMAND\n/)

  changeBack()
  const before = clone.help()
  assert.equal(before.stderr, FROM_BUNDLE)
  assert.match(before.stdout, /^Usage: kith COMMAND\n/)
})

for (const path of ['server/package.json', 'package-lock.json', 'server/src/reference/page/page.css']) {
  test(`a change of ${path} makes another bundle, a change of a test does not`, async (t) => {
    const clone = await newClone(t)
    const folder = clone.build()
    clone.change('server/src/main.test.ts', 'kith', 'Kith')
    assert.equal(clone.build(), folder)
    appendFileSync(join(clone.folder, path), '\n')
    assert.notEqual(clone.build(), folder)
  })
}

test('the same source makes the same bundle, wherever it is', async (t) => {
  const [one, other] = [(await newClone(t)).build(), (await newClone(t)).build()]
  assert.equal(basename(one), basename(other))
  assert.deepEqual(contentOf(one), contentOf(other))
})

test('a build that is broken off leaves nothing that is run', async (t) => {
  const clone = await newClone(t)
  const dist = join(clone.folder, 'server/dist')
  const build = spawn(process.execPath, [join(clone.folder, 'server/build/bundle.mjs')], { stdio: 'ignore' })
  await until('the build has begun', () => namesIn(dist).length > 0)
  build.kill('SIGKILL')
  assert.deepEqual(await once(build, 'exit'), [null, 'SIGKILL'])
  for (const name of namesIn(dist)) writeFileSync(join(dist, name, 'main.js'), `process.stderr.write('half')`)
  assert.equal(clone.help().stderr, '')
  markBundle(clone.build())
  assert.equal(clone.help().stderr, FROM_BUNDLE)
})

test('a build that fails says why and leaves nothing that is run', async (t) => {
  const clone = await newClone(t)
  clone.change(
    'server/src/web/page.ts',
    "fileURLToPath(new URL('../../../web/dist', import.meta.url))",
    'import.meta.dirname',
  )
  const { status, stderr } = clone.tryBuild()
  assert.equal(status, 1)
  assert.match(stderr, /web\/page\.ts: the bundle needs new URL/)
  assert.equal(clone.help().stderr, '')
})

test('the ten newest bundles are kept, for servers that run from them', async (t) => {
  const clone = await newClone(t)
  const dist = join(clone.folder, 'server/dist')
  const first = basename(clone.build())
  for (let count = 0; count < 9; count++) mkdirSync(join(dist, `other-${count}`), { recursive: true })
  assert.ok(namesIn(dist).includes(first))
  clone.change('server/src/commands/help.ts', 'Usage:', 'Use:')
  const second = basename(clone.build())
  assert.equal(namesIn(dist).length, 10)
  assert.deepEqual([namesIn(dist).includes(first), namesIn(dist).includes(second)], [false, true])
})

interface Clone {
  folder: string
  help(): SpawnSyncReturns<string>
  tryBuild(): SpawnSyncReturns<string>
  /** @returns the folder of the bundle */
  build(): string
  /** @returns what undoes it */
  change(path: string, text: string, other: string): () => void
}

/** What the server is built from, in a folder of its own, without any bundle. */
async function newClone(t: TestContext): Promise<Clone> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-clone-'))
  t.after(() => rm(folder, { recursive: true }))
  for (const path of ['package.json', 'package-lock.json', 'server']) {
    cpSync(join(ROOT, path), join(folder, path), {
      recursive: true,
      filter: (from) => from !== join(ROOT, 'server/dist'),
    })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const run = (program: string, ...args: string[]) =>
    spawnSync(process.execPath, [join(folder, program), ...args], { encoding: 'utf8' })
  const tryBuild = () => run('server/build/bundle.mjs')
  return {
    folder,
    help: () => run('server/bin/kith.mjs', '--help'),
    tryBuild,
    build() {
      const { status, stderr } = tryBuild()
      assert.equal(status, 0, stderr)
      const name = `import('${folder}/server/build/bundle-folder.mjs').then((it) => console.log(it.bundleFolder()))`
      return spawnSync(process.execPath, ['--eval', name], { encoding: 'utf8' }).stdout.trim()
    },
    change(path, text, other) {
      const file = join(folder, path)
      const before = readFileSync(file, 'utf8')
      assert.ok(before.includes(text))
      writeFileSync(file, before.replace(text, other))
      return () => writeFileSync(file, before)
    },
  }
}

/** Lets a bundle be known by what it says. */
function markBundle(folder: string): void {
  appendFileSync(join(folder, 'main.js'), `process.stderr.write(${JSON.stringify(FROM_BUNDLE)})\n`)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function contentOf(folder: string): [path: string, content: string][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .map((path) => [path.slice(folder.length), readFileSync(path, 'base64')])
}
