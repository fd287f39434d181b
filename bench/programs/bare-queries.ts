/** The limit that PostgreSQL's answers are held against: one prepared statement in a loop, over as many connections. */
import pg from 'pg'

export interface BareQueries {
  url: string
  connections: number
  text: string
  /** Of the statement, in turn. */
  values: unknown[][]
}

export interface BareQueried {
  count: number
  seconds: number
}

const { url, connections, text, values }: BareQueries = JSON.parse(process.env.BENCH!)
const pool = new pg.Pool({ connectionString: url, max: connections })

process.on('message', async (what: string) => {
  const seconds = /^run (\d+)$/.exec(what)?.[1]
  if (seconds !== undefined) process.send!(await run(Number(seconds)))
})
// It ends when whoever measures does.
process.channel!.ref()
console.log(JSON.stringify({ url: '' }))

async function run(seconds: number): Promise<BareQueried> {
  const startedMs = performance.now()
  let count = 0
  const lane = async () => {
    while (performance.now() - startedMs < seconds * 1000) {
      await pool.query({ name: 'bare', text, values: values[count++ % values.length]! })
    }
  }
  await Promise.all(Array.from({ length: connections }, lane))
  return { count, seconds: (performance.now() - startedMs) / 1000 }
}
