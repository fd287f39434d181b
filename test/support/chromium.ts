/** A Chromium for browser tests, out of node_modules where it can be: nothing has to be installed. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

/** What starts a browser. */
export interface ChromiumProgram {
  executablePath: string
  env: Record<string, string>
}

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/kith')
const LAUNCH_MS_MAX = 60_000

/** Where a Chrome is when somebody has installed one. */
const INSTALLED = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ...['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser'].flatMap(onPath),
]

/** Never the package's own: `--single-process` ends with the first page, `--disable-web-security` hides faults. */
const ARGS = [
  ...['--no-sandbox', '--no-zygote', '--disable-dev-shm-usage', '--font-render-hinting=none'],
  // Names of other hosts lead nowhere; that one was asked for is seen all the same.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
]

/**
 * The program of `KITH_TEST_CHROMIUM`; else the packaged one (Linux on x64, glibc 2.34 or later); else an installed
 * Chrome or Playwright's own download.
 *
 * @throws Error that says what to do where there is none
 */
export function findChromium(): ChromiumProgram {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('KITH_'))) as {
    [name: string]: string
  }
  const named = process.env.KITH_TEST_CHROMIUM
  if (named) return { executablePath: named, env }
  if (isPackaged()) {
    const folder = unpackedChromium(CACHE)
    const own = {
      LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
      XDG_CACHE_HOME: join(folder, 'cache'),
    }
    return { executablePath: join(folder, 'chromium'), env: { ...env, ...own } }
  }
  const executablePath = [...INSTALLED, chromium.executablePath()].find((path) => existsSync(path))
  if (executablePath) return { executablePath, env }
  const machine = `${process.platform} on ${process.arch}`
  throw new Error(`There is no Chromium for ${machine} in node_modules. Name one in KITH_TEST_CHROMIUM.`)
}

/** @returns why there is no browser on this machine; nothing where there is one, or where there ought to be */
export function missingChromium(): string | undefined {
  if (isPackaged()) return undefined
  try {
    findChromium()
    return undefined
  } catch (err) {
    return (err as Error).message
  }
}

/** @param args further ones, beside those that every browser gets */
export function launchChromium(args: string[] = []): Promise<Browser> {
  return chromium.launch({ ...findChromium(), args: [...ARGS, ...args], timeout: LAUNCH_MS_MAX })
}

function isPackaged(): boolean {
  return process.platform === 'linux' && process.arch === 'x64' && !process.env.KITH_TEST_CHROMIUM
}

/** Its own `fonts.conf` names fixed folders: with no font found, typing fails and dialogs crash. */
const FONTS_CONF = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <dir>/usr/share/fonts</dir>
  <alias>
    <family>monospace</family>
    <prefer><family>DejaVu Sans Mono</family><family>Liberation Mono</family></prefer>
  </alias>
  <cachedir prefix="xdg">fonts</cachedir>
</fontconfig>
`

/**
 * Unpacks the packaged Chromium, once for all processes: each makes a whole copy under another name, and the first to
 * move it into place wins.
 *
 * @returns the folder with `chromium`, its libraries and its fonts
 */
function unpackedChromium(cache: string): string {
  const folder = join(cache, `chromium-${packageVersion()}`)
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const part = mkdtempSync(`${folder}-`)
  try {
    unpackInto(part)
    writeFileSync(join(part, 'fonts.conf'), FONTS_CONF)
    renameSync(part, folder)
  } catch (err) {
    rmSync(part, { recursive: true, force: true })
    if (!existsSync(folder)) throw err
  }
  return folder
}

/** The package unpacks into the temporary folder, its own libraries too when it believes to be where it is made for. */
function unpackInto(folder: string) {
  const program = "import chromium from '@sparticuz/chromium'; await chromium.executablePath()"
  const child = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
    env: { PATH: process.env.PATH, TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' },
    encoding: 'utf8',
  })
  if (child.status !== 0) throw new Error(`Chromium could not be unpacked: ${child.stderr || child.error?.message}`)
}

function packageVersion(): string {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  return JSON.parse(readFileSync(join(dirname(entry), '../package.json'), 'utf8')).version
}

function onPath(name: string): string[] {
  return (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name))
}
