/** Answers every request with the bytes of `BENCH`, as soon as its body is there. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Answer } from '../frame/kiths.ts'

const { status, headers, body }: Answer = JSON.parse(process.env.BENCH!)
const server = createServer((request, response) => {
  const answer = () => {
    response.writeHead(status, headers)
    response.end(body)
  }
  if (request.method === 'GET') answer()
  else request.resume().on('end', answer)
})
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))
})
