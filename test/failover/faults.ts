/** What happens to the primary. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import type { Machine } from './network.ts'

export interface Fault {
  name: string
  /** Whether writes may come back: there is a primary, and another one where this one cannot go on. */
  isLed(leader: Machine | undefined, before: Machine): boolean
  strike(cluster: Cluster, primary: Machine): Promise<void>
  /** What someone or something does about it, once writes are back; nothing when it heals by itself. */
  mend?(cluster: Cluster, primary: Machine): Promise<void> | void
  /** How long it goes on before it is mended. */
  lastsS: number
}

const byAnother: Fault['isLed'] = (leader, before) => leader !== undefined && leader !== before
const byAnyone: Fault['isLed'] = (leader) => leader !== undefined
const isPostgres = (command: string) => /^(\S*\/)?postgres\b/.test(command)

export const FAULTS: readonly Fault[] = [
  {
    name: "power cut: kill -9 of the primary's PostgreSQL and Patroni",
    isLed: byAnother,
    lastsS: 0,
    // Without its network: the system would go on sending what the killed had handed to it.
    strike: (_cluster, primary) => {
      primary.part()
      return primary.kill()
    },
    mend: (cluster, primary) => {
      primary.join()
      cluster.startMember(primary)
    },
  },
  {
    name: "network of the primary's machine parted for 45 s",
    isLed: byAnother,
    lastsS: 45,
    strike: async (_cluster, primary) => primary.part(),
    mend: (_cluster, primary) => primary.join(),
  },
  {
    name: "SIGSTOP of the primary's machine for 40 s, a lease of 15 s",
    isLed: byAnother,
    lastsS: 40,
    strike: (_cluster, primary) => primary.freeze(),
    mend: (_cluster, primary) => primary.wake(),
  },
  {
    name: 'switchover by patronictl',
    isLed: byAnother,
    lastsS: 0,
    strike: (cluster) => cluster.switchOver(),
  },
  {
    name: "kill -9 of the primary's PostgreSQL alone",
    isLed: byAnyone,
    lastsS: 0,
    strike: (_cluster, primary) => primary.kill(isPostgres),
  },
  {
    name: "network of the standby's machine parted for 20 s",
    isLed: byAnyone,
    lastsS: 20,
    strike: async ({ members }, primary) => members.find((member) => member !== primary)!.part(),
    mend: ({ members }) => {
      for (const member of members) member.join()
    },
  },
]

/** Resolves at the earliest moment at which the fault may be mended. */
export function untilItMayEnd({ lastsS }: Fault, struckMs: number): Promise<void> {
  return delay(Math.max(0, struckMs + lastsS * 1000 - performance.now()))
}
