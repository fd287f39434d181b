/** What stands behind the places on the map: the built-in world, or what the operator has chosen. */
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Config } from '../config.ts'
import { StartError } from '../start-error.ts'

/** Where the browser finds the files that this server has. */
export const MAP_PREFIX = '/map/'

export interface MapBackground {
  /** Of a style, or of a file of tiles (`….pmtiles`); null for the world that the web app brings along. */
  styleUrl: string | null
  /** Other origins that pages load it from. */
  origins: string[]
  /** What is served under `MAP_PREFIX`; null for nothing. */
  files: MapFiles | null
}

export interface MapFiles {
  folder: string
  /** @param path inside of it, with a slash before it */
  isServed(path: string): boolean
}

/**
 * Reads the background's own file, where it has one. Of its folder, that file is served and what it names, and nothing
 * else.
 *
 * @throws StartError when the file cannot be read, is of another kind, or names files outside of its folder
 */
export function loadMapBackground({ background, origins }: Config['map']): MapBackground {
  if (background.from === 'nowhere') return { styleUrl: null, origins: [], files: null }
  if (background.from === 'address') {
    const { url } = background
    return { styleUrl: url, origins: unique([new URL(url).origin, ...origins]), files: null }
  }
  const { path } = background
  const style = path.toLowerCase().endsWith('.pmtiles') ? requireTiles(path) : readStyle(path)
  const patterns = [...style.files.map(patternOf), RegExp.escape(basename(path))]
  const served = new RegExp(`^/(?:${patterns.join('|')})$`)
  return {
    styleUrl: MAP_PREFIX + encodeURIComponent(basename(path)),
    origins: unique([...style.origins, ...origins]),
    files: { folder: dirname(path), isServed: (file) => served.test(file) && !HIDDEN.test(file) },
  }
}

interface References {
  /** Origins of other servers that it names. */
  origins: string[]
  /** What it names beside itself: paths inside of its folder, with placeholders in braces. */
  files: string[]
}

/** The parts of a style that name files. */
interface Style {
  sprite?: string | { url: string }[]
  glyphs?: string
  sources?: Record<string, { url?: unknown; data?: unknown; tiles?: unknown; urls?: unknown }>
}

const TILES_HEAD = 'PMTiles\u0003'
/** A segment that begins with a dot: hidden, or the folder above. */
const HIDDEN = /\/\./

function requireTiles(path: string): References {
  const head = Buffer.alloc(TILES_HEAD.length)
  const file = orStartError(path, () => openSync(path, 'r'))
  try {
    readSync(file, head)
  } finally {
    closeSync(file)
  }
  if (head.toString('latin1') === TILES_HEAD) return { origins: [], files: [] }
  throw new StartError(`${path}, which KITH_MAP_STYLE names, is not a PMTiles file of version 3.`)
}

function readStyle(path: string): References {
  const text = orStartError(path, () => readFileSync(path, 'utf8'))
  let style: Style
  try {
    style = JSON.parse(text)
  } catch {
    throw new StartError(`${path}, which KITH_MAP_STYLE names, is not JSON.`)
  }
  const found: References = { origins: [], files: [] }
  for (const { reference, endings } of referencesOf(style)) {
    const address = reference.replace(/^pmtiles:\/\//, '')
    if (/^https?:\/\//i.test(address)) found.origins.push(originOf(address, path))
    else if (!/^[\w+.-]+:/.test(address)) found.files.push(...endings.map((ending) => inside(address, path) + ending))
  }
  return found
}

function referencesOf({ sprite, glyphs, sources = {} }: Style): { reference: string; endings: string[] }[] {
  const sprites = Array.isArray(sprite) ? sprite.map(({ url }) => url) : [sprite]
  const sourced = Object.values(sources).flatMap(({ url, data, tiles, urls }) => [url, data, tiles, urls].flat())
  const strings = (list: unknown[]) => list.filter((one) => typeof one === 'string')
  return [
    ...strings(sprites).map((reference) => ({ reference, endings: SPRITE_ENDINGS })),
    ...strings([glyphs, ...sourced]).map((reference) => ({ reference, endings: [''] })),
  ]
}

const SPRITE_ENDINGS = ['.json', '.png', '@2x.json', '@2x.png']

function originOf(address: string, path: string): string {
  const origin = URL.parse(address.replaceAll(PLACEHOLDER, '0'))?.origin
  if (origin && ORIGIN.test(origin)) return origin
  throw new StartError(`${path}, which KITH_MAP_STYLE names, has an address that cannot be used: ${address}`)
}

/** What can stand in a content security policy as it is. */
const ORIGIN = /^https?:\/\/[\w.:[\]-]+$/

function inside(reference: string, path: string): string {
  const base = `http://kith.invalid${MAP_PREFIX}`
  const found = decodeURIComponent(new URL(reference, base).pathname)
  if (found.startsWith(MAP_PREFIX)) return found.slice(MAP_PREFIX.length)
  throw new StartError(`${path}, which KITH_MAP_STYLE names, uses ${reference}, which is not in its folder.`)
}

const PLACEHOLDER = /\{[^}]*\}/g

/** A regular expression for the files that a path with placeholders stands for. */
function patternOf(path: string): string {
  const fixed = path.split(PLACEHOLDER).map((part) => RegExp.escape(part))
  const open = [...path.matchAll(PLACEHOLDER)].map(([placeholder]) => FILLED[placeholder] ?? '[^/]+')
  return fixed.map((part, index) => part + (open[index] ?? '')).join('')
}

const FILLED: Record<string, string> = {
  '{z}': '\\d+',
  '{x}': '\\d+',
  '{y}': '\\d+',
  '{range}': '\\d+-\\d+',
  '{ratio}': '(?:@2x)?',
}

function orStartError<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartError(`${path}, which KITH_MAP_STYLE names, cannot be read (${code}).`, { cause: error })
  }
}

function unique(values: string[]): string[] {
  return [...new Set(values)]
}
