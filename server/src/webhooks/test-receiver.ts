/**
 * A hostile receiver as a process of its own, for tests that measure this one's memory or stop the receiver.
 * Tells its port to the parent. `node test-receiver.ts <backlog>`
 */

import { type AddressInfo, createServer, type Socket } from 'node:net'

const OK = 'HTTP/1.1 200 OK\r\n'
const BIG = Buffer.alloc(64 * 1024, 'x')
const HEADERS = Buffer.from('a: b\r\n'.repeat(1000))

/** What it does with a request for each path; any other one hangs. */
const MANNERS: Record<string, (socket: Socket) => void> = {
  '/flood': (socket) => flood(socket, `${OK}\r\n`, BIG),
  '/headers': (socket) => flood(socket, OK, HEADERS),
  '/drip': (socket) => {
    socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`)
    const timer = setInterval(() => socket.write('1\r\nx\r\n'), 20)
    socket.on('close', () => clearInterval(timer))
  },
  '/healthy': (socket) => void socket.write(`${OK}content-length: 2\r\n\r\nok`),
}

const server = createServer((socket) => {
  socket.on('error', () => {})
  socket.once('data', (request) => MANNERS[/^POST (\S+)/.exec(request.toString())?.[1] ?? '']?.(socket))
})
server.listen({ port: 0, host: '127.0.0.1', backlog: Number(process.argv[2]) }, () => {
  process.send?.((server.address() as AddressInfo).port)
})

function flood(socket: Socket, start: string, more: Buffer): void {
  socket.write(start)
  const again = () => {
    if (!socket.destroyed) socket.write(more, () => setImmediate(again))
  }
  again()
}
