#!/usr/bin/env node
// The `kith` command. Kith is TypeScript that Node itself strips: an older Node hands over to the pinned one.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

const NODE_MAJOR_MIN = 24
const main = new URL('../src/main.ts', import.meta.url)
// What Node has stripped and compiled is kept, not in the shared temporary folder: whoever can write there could
// change what is run here. Where this folder cannot be written, nothing is kept.
const compileCache = fileURLToPath(new URL('../../node_modules/.cache/kith', import.meta.url))

if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_MIN) {
  // For the threads too: each would load what strips TypeScript, 20 MB, for itself.
  process.env.NODE_COMPILE_CACHE ??= compileCache
  module.enableCompileCache(compileCache)
  await import(main.href)
} else {
  runWithPinnedNode()
}

function runWithPinnedNode() {
  const node = fileURLToPath(new URL('../../node_modules/.bin/node', import.meta.url))
  if (!existsSync(node)) {
    console.error(`kith needs Node ${NODE_MAJOR_MIN} or later; this is ${process.version}.`)
    console.error('In a clone, `node scripts/setup.mjs` installs the Node that Kith is tested with.')
    process.exit(1)
  }
  const env = { NODE_COMPILE_CACHE: compileCache, ...process.env }
  const child = spawn(node, [fileURLToPath(main), ...process.argv.slice(2)], { stdio: 'inherit', env })
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
