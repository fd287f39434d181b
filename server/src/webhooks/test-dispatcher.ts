/**
 * A dispatcher as a process of its own, for tests that stop or kill it. Its argument is the database's place as JSON.
 * Tells its parent when it runs, and its statistics whenever it is asked.
 */
import { openDatabase } from '../database/open.ts'
import { createLog } from '../log.ts'
import { startDispatcher } from './dispatcher.ts'
import { createSender } from './sender.ts'
import { TEST_GUARD, TEST_KEY } from './test-deliveries.ts'

const db = await openDatabase(JSON.parse(process.argv[2]!), 'server')
const dispatcher = startDispatcher({
  db,
  sender: createSender({ guard: TEST_GUARD }),
  key: TEST_KEY,
  log: createLog('fatal'),
  version: '1.0.0',
  concurrency: 256,
  concurrencyPerSubscription: 16,
})
process.on('message', () => process.send?.(dispatcher.stats()))
process.on('disconnect', () => process.exit())
process.send?.('running')
