/** `npm run dev`: the server, started again at each change, and the web app with hot reload, at http://127.0.0.1:5173. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const children = [
  start('--watch-path=server/src', 'server/src/main.ts', 'serve'),
  start('node_modules/vite/bin/vite.js', 'web'),
]

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stopAll)
// One without the other is of no use, and its last words would be missed.
for (const child of children) child.once('exit', stopAll)

function start(...args: string[]): ChildProcess {
  const env = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/kith'), ...process.env }
  return spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] })
}

function stopAll(): void {
  for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
}
