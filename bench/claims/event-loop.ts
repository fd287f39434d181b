import { setTimeout as delay } from 'node:timers/promises'
import { everyLoad } from '../frame/every-load.ts'
import { kithsOn } from '../frame/kiths.ts'
import type { Bench } from '../frame/outcome.ts'

const CONTACTS = 1_000_000
const CONTACTS_SHORT = 100_000

export const eventLoop: Bench = {
  claim: 'Nothing holds the event loop for long: no list, no search, no import, no export, no backup.',
  async run(context) {
    const contacts = context.isFull ? CONTACTS : CONTACTS_SHORT
    const seconds = context.isFull ? 3 : 1
    const rows: (string | number)[][] = []
    const worstMs: number[] = []
    for (const one of await kithsOn(context, { contacts })) {
      const { program, kith } = one
      const loads = await everyLoad(context, one, { connections: 1, seconds })
      await kith.held()
      await delay(seconds * 1000)
      const rest = await kith.held()
      rows.push([`${program.name}, at rest`, rest.wallMs, rest.cpuMs])
      let worst = 0
      for (const [name, run] of Object.entries(loads)) {
        await kith.held()
        await run()
        const { wallMs, cpuMs } = await kith.held()
        rows.push([`${program.name}, ${name}`, wallMs, cpuMs])
        worst = Math.max(worst, cpuMs)
      }
      worstMs.push(worst)
    }
    return {
      setting: `${contacts.toLocaleString('en-US')} contacts on SQLite, one request at a time.`,
      tables: [{ titles: ['', 'held at most, ms', 'of processor, ms'], rows }],
      figures: { 'event-loop.held': worstMs[0]! },
      notes: ['On a busy machine the first column also counts the time in which another program had the processor.'],
    }
  },
}
