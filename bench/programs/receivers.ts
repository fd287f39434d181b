/** Receivers of webhooks, a server each: `/hook` answers, `/hang` never does. Tells how many have arrived, and how late. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Arrived {
  count: number
  /** Milliseconds from each event's `ts` to its arrival, of those since this was last asked; not more than some. */
  delaysMs: number[]
}

const DELAYS_MAX = 50_000
const TS = /"ts":"([^"]+)"/

const { receivers }: { receivers: number } = JSON.parse(process.env.BENCH!)
let count = 0
let delaysMs: number[] = []
const urls: string[] = []
for (let i = 0; i < receivers; i++) {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      count++
      if (delaysMs.length < DELAYS_MAX) delaysMs.push(Date.now() - Date.parse(TS.exec(body)?.[1] ?? ''))
      if (request.url !== '/hang') response.end('ok')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}
process.on('message', (what) => {
  if (what !== 'arrived') return
  process.send!({ count, delaysMs } satisfies Arrived)
  delaysMs = []
})
console.log(JSON.stringify({ url: urls.join(' ') }))
