/** Reads what `--cpu-prof` has written: where the time of each thread went, call by call. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Table } from './table.ts'

/** A function where it was called from, or a whole thread. */
export interface Frame {
  name: string
  /** Where it is from: a file of Kith, a package, a module of Node, or nothing of those. */
  place: string
  isOurs: boolean
  /** Microseconds in it and in what it called. */
  us: number
  calls: Frame[]
}

/** The part of a `.cpuprofile` file that is read. */
export interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string }; children?: number[] }[]
  samples: number[]
  /** Microseconds before each sample. */
  timeDeltas: number[]
}

const IDLE = '(idle)'
/** A start is measured by itself: all that comes of loading a module is left out. */
const LOADING = 'node:internal/modules/'
const SELF_ROWS = 20

/** Of all processes that wrote into the folder, their threads beside their main threads. */
export function readProfiles(folder: string): Frame {
  const all = readdirSync(folder)
    .filter((file) => file.endsWith('.cpuprofile'))
    .map((file) => ({ isMain: isOfMainThread(file), profile: JSON.parse(readFileSync(join(folder, file), 'utf8')) }))
  const of = (name: string, wanted: boolean) =>
    callsOf(
      name,
      all.filter(({ isMain }) => isMain === wanted).map(({ profile }) => profile),
    )
  const calls = [of('main thread', true), of('other threads', false)].filter(({ us }) => us > 0)
  return { ...whole('all'), us: calls.reduce((sum, { us }) => sum + us, 0), calls }
}

/** @param name of what all of them belong to */
export function callsOf(name: string, profiles: readonly Profile[]): Frame {
  const root = whole(name)
  for (const { nodes, samples, timeDeltas } of profiles) {
    const spent = new Map<number, number>()
    for (const [i, id] of samples.entries()) spent.set(id, (spent.get(id) ?? 0) + timeDeltas[i]!)
    const byId = new Map(nodes.map((node) => [node.id, node]))
    const add = (into: Frame, id: number): number => {
      const { callFrame, children = [] } = byId.get(id)!
      if (callFrame.functionName === IDLE || callFrame.url.startsWith(LOADING)) return 0
      const frame = callIn(into, callFrame.functionName || '(anonymous)', placeOf(callFrame.url))
      let us = spent.get(id) ?? 0
      for (const child of children) us += add(frame, child)
      frame.us += us
      return us
    }
    for (const child of nodes[0]!.children ?? []) root.us += add(root, child)
  }
  return root
}

/** Functions by the time that they took themselves, the longest first. */
export function selfTable(root: Frame): Table {
  const self = new Map<string, number>()
  const visit = (frame: Frame) => {
    const own = frame.us - frame.calls.reduce((sum, { us }) => sum + us, 0)
    const name = titleOf(frame)
    self.set(name, (self.get(name) ?? 0) + own)
    for (const call of frame.calls) visit(call)
  }
  for (const thread of root.calls) for (const call of thread.calls) visit(call)
  const longest = [...self].sort(([, one], [, other]) => other - one).slice(0, SELF_ROWS)
  return { titles: ['', '% in itself'], rows: longest.map(([name, us]) => [name, (100 * us) / root.us]) }
}

export function titleOf({ name, place }: Frame): string {
  return place === '' ? name : `${name}, ${place}`
}

function whole(name: string): Frame {
  return { name, place: '', isOurs: false, us: 0, calls: [] }
}

function callIn(frame: Frame, name: string, from: Pick<Frame, 'place' | 'isOurs'>): Frame {
  const known = frame.calls.find((call) => call.name === name && call.place === from.place)
  if (known) return known
  const call = { ...whole(name), ...from }
  frame.calls.push(call)
  return call
}

function placeOf(url: string): Pick<Frame, 'place' | 'isOurs'> {
  const ours = /\/server\/src\/(.+)$/.exec(url)?.[1]
  if (ours !== undefined) return { place: ours, isOurs: true }
  const ofPackage = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]
  return { place: ofPackage ?? (url.startsWith('node:') ? url : basename(url)), isOurs: false }
}

/** Files are named by date, time, process, thread and a number; the main thread is 0. */
function isOfMainThread(file: string): boolean {
  return file.split('.')[4] === '0'
}
