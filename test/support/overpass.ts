/** A server that answers as an Overpass server does. */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** What a real one answered when it was asked for fast food in Skopje: 60 elements, 43 of them with a name. */
const ANSWER = readFileSync(
  new URL('../../server/src/prospecting/testdata/overpass-answer.json', import.meta.url),
  'utf8',
)

export interface Question {
  headers: IncomingMessage['headers']
  /** In Overpass QL. */
  query: string
}

export type Reply = (response: ServerResponse, question: Question) => void

export interface OverpassServer {
  url: string
  questions: Question[]
  /** How many it was asked at once at most. */
  atOnceMax: number
  /** Answers the next question like this, the ones after it as before. */
  next(reply: Reply): void
  close(): Promise<void>
}

/** Answers every question with what the real one said, unless told otherwise. */
export const realAnswer: Reply = (response) => {
  response.setHeader('content-type', 'application/json').end(ANSWER)
}

export const status =
  (code: number, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(code, { 'content-type': 'text/html', ...headers }).end('<html>busy</html>')
  }

export async function startOverpass(): Promise<OverpassServer> {
  const replies: Reply[] = []
  let atOnce = 0
  const server = createServer(async (request, response) => {
    overpass.atOnceMax = Math.max(overpass.atOnceMax, ++atOnce)
    response.once('close', () => atOnce--)
    const query = new URLSearchParams(await text(request)).get('data') ?? ''
    const question = { headers: request.headers, query }
    overpass.questions.push(question)
    const reply = replies.shift() ?? realAnswer
    reply(response, question)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const overpass: OverpassServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/interpreter`,
    questions: [],
    atOnceMax: 0,
    next: (reply) => void replies.push(reply),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return overpass
}
