import type { Bench } from '../frame/outcome.ts'
import { claiming } from './claiming.ts'
import { deepOffsets } from './deep-offsets.ts'
import { eventLoop } from './event-loop.ts'
import { exporting } from './export.ts'
import { get } from './get.ts'
import { grid } from './grid.ts'
import { growth, orgs } from './growth.ts'
import { importing } from './import.ts'
import { list } from './list.ts'
import { memory } from './memory.ts'
import { nodes } from './nodes.ts'
import { postgres } from './postgres.ts'
import { rateLimit } from './rate-limit.ts'
import { search } from './search.ts'
import { sender } from './sender.ts'
import { start } from './start.ts'
import { webhooks } from './webhooks.ts'
import { patch, post } from './writes.ts'

/** Every bench, in the order in which they are run and shown. */
export const BENCHES: Record<string, Bench> = {
  get,
  list,
  search,
  'deep-offsets': deepOffsets,
  post,
  patch,
  webhooks,
  import: importing,
  export: exporting,
  growth,
  orgs,
  start,
  memory,
  'event-loop': eventLoop,
  postgres,
  nodes,
  claiming,
  grid,
  sender,
  'rate-limit': rateLimit,
}
