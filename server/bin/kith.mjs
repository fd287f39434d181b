#!/usr/bin/env node
// The `kith` command: runs the bundle that set-up has made of the source as it is now, which starts in three fifths of
// the time; where there is none, since the source has been changed, the source itself. An older Node hands over to the
// pinned one.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bundleFolder } from '../build/bundle-folder.mjs'

const NODE_MAJOR_MIN = 24
const bundle = bundleFolder()
const isBundled = existsSync(bundle)
const main = isBundled ? join(bundle, 'main.js') : pathOf('../src/main.ts')
// What Node has compiled is kept, not in the shared temporary folder: whoever can write there could change what is run
// here. Where this folder cannot be written, nothing is kept.
const compileCache = isBundled ? join(bundle, 'compiled') : pathOf('../../node_modules/.cache/kith')

if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_MIN) {
  // For the threads too: out of the source, each would load what strips TypeScript, 20 MB, for itself.
  process.env.NODE_COMPILE_CACHE ??= compileCache
  module.enableCompileCache(compileCache)
  await import(pathToFileURL(main).href)
} else {
  runWithPinnedNode()
}

function runWithPinnedNode() {
  const node = pathOf('../../node_modules/.bin/node')
  if (!existsSync(node)) {
    console.error(`kith needs Node ${NODE_MAJOR_MIN} or later; this is ${process.version}.`)
    console.error('In a clone, `node scripts/setup.mjs` installs the Node that Kith is tested with.')
    process.exit(1)
  }
  const env = { NODE_COMPILE_CACHE: compileCache, ...process.env }
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: 'inherit', env })
  child.on('error', (err) => {
    console.error(`kith could not start ${node}: ${err.message}`)
    process.exit(1)
  })
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  process.on('SIGHUP', () => child.kill('SIGHUP'))
  // A terminal gives Ctrl-C to both processes by itself; a second SIGINT would read as "do not wait".
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

function pathOf(relative) {
  return fileURLToPath(new URL(relative, import.meta.url))
}
