/** Requests as bytes, for what no HTTP client would send. */
import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  /** 0 when the connection was closed without one. */
  status: number
  headers: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: tests compare answers whole or reach into them
  body: any
  text: string
  /** Whether the server closed the connection by itself. */
  isClosed: boolean
}

/**
 * Sends bytes and reads until the server closes the connection, or an answer is whole and it has stayed open.
 *
 * @param openMs how long an open connection is looked at after a whole answer
 */
export function sendRaw(port: number, bytes: string | Buffer, openMs = 200): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let received: Buffer = Buffer.alloc(0)
    let openWatch: NodeJS.Timeout | undefined
    const end = (isClosed: boolean) => {
      clearTimeout(openWatch)
      socket.destroy()
      resolve({ ...parse(received.toString('latin1')), isClosed })
    }
    socket.on('connect', () => socket.write(bytes))
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk])
      if (isWhole(received.toString('latin1'))) openWatch ??= setTimeout(end, openMs, false)
    })
    socket.on('close', () => end(true))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // The server may close while there is still something to send.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error)
    })
  })
}

/** An open connection with something sent on it. */
export function openRaw(port: number, bytes: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, () => resolve(socket)))
    socket.on('error', reject)
  })
}

function isWhole(text: string): boolean {
  const [head, body] = split(text)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  return body !== undefined && length !== undefined && body.length >= Number(length)
}

function split(text: string): [head: string, body: string | undefined] {
  const end = text.indexOf('\r\n\r\n')
  return end < 0 ? [text, undefined] : [text.slice(0, end), text.slice(end + 4)]
}

function parse(text: string): Omit<RawAnswer, 'isClosed'> {
  const [head, body = ''] = split(text)
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const isJson = headers['content-type']?.startsWith('application/json') && body !== ''
  return {
    status: Number(statusLine.split(' ')[1] ?? 0),
    headers,
    text: body,
    body: isJson ? JSON.parse(body) : undefined,
  }
}
