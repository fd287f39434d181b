import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faultsOf, importFaults } from '../scripts/import-direction.ts'

test('imports in server/src run one way', () => {
  assert.deepEqual(importFaults(), [])
})

const ALLOWED: [path: string, line: string][] = [
  ['main.ts', `const { serve } = await import('./commands/serve.ts')`],
  ['commands/token.ts', `import { createToken } from '../tokens/actions.ts'`],
  ['app.ts', `import { startDispatcher } from './webhooks/dispatcher.ts'`],
  ['doors/api.ts', `import { contactRoutes } from '../contacts/routes.ts'`],
  ['contacts/routes.ts', `import { changeContact } from './actions.ts'`],
  ['contacts/routes.ts', `import type { Database } from '../database/engine.ts'`],
  ['contacts/actions.ts', `import { emit } from '../events/outbox.ts'`],
  ['contacts/actions.ts', `import {\n  contactById,\n  type Row,\n} from './store.ts'`],
  ['contacts/actions.ts', `import { ApiError } from '../http/errors.ts'`],
  ['webhooks/delivery-routes.ts', `import { redeliver } from './delivery-actions.ts'`],
  ['database/engine.ts', `import type { Config } from '../config.ts'`],
  ['commands/command.ts', `import { version } from '../../package.json' with { type: 'json' }`],
  ['config.ts', `export const env = process.env`],
  ['log.ts', `/** Never process.env. */`],
]

for (const [path, line] of ALLOWED) {
  test(`${path} may have: ${line.replaceAll(/\s+/g, ' ')}`, () => {
    assert.deepEqual(faultsOf(new Map([[path, line]])), [])
  })
}

const REFUSED: [path: string, line: string, fault: RegExp][] = [
  ['tokens/routes.ts', `import { x } from '../app.ts'`, /imports app\.ts; a file of its kind \(routes\) may import/],
  ['contacts/routes.ts', `import { contactById } from './store.ts'`, /imports contacts\/store\.ts;/],
  ['contacts/routes.ts', `import { open } from '../database/engine.ts'`, /imports database\/engine\.ts;/],
  ['contacts/actions.ts', `import {\n  taskById,\n} from '../tasks/store.ts'`, /imports tasks\/store\.ts;/],
  ['contacts/actions.ts', `import type { Row } from '../events/store.ts'`, /imports types of events\/store\.ts;/],
  ['contacts/actions.ts', `export { routes } from './routes.ts'`, /imports contacts\/routes\.ts;/],
  ['contacts/actions.ts', `import { page } from '../http/paging.ts'`, /imports http\/paging\.ts;/],
  ['contacts/store.ts', `import './actions.ts'`, /imports contacts\/actions\.ts;/],
  ['commands/token.ts', `import { insertToken } from '../tokens/store.ts'`, /imports tokens\/store\.ts;/],
  ['http/paging.ts', `import { Contact } from '../contacts/schema.ts'`, /imports contacts\/schema\.ts;/],
  ['database/engine.ts', `import { readConfig } from '../config.ts'`, /imports config\.ts;/],
  ['log.ts', `import { readConfig } from './config.ts'`, /imports config\.ts;/],
  ['database/engine.ts', `const late = await import('../http/paging.ts')`, /imports http\/paging\.ts;/],
  ['clock.ts', `import { newId } from '../../test/support/ids.ts'`, /imports \.\.\/\.\.\/test\/support\/ids\.ts;/],
  ['log.ts', `const level = process.env.KITH_LOG_LEVEL`, /log\.ts:1 process\.env is read in config\.ts alone/],
  ['http/errors.ts', `import { mock } from 'node:test'`, /errors\.ts:1 node:test is for tests/],
]

for (const [path, line, fault] of REFUSED) {
  test(`${path} may not have: ${line.replaceAll(/\s+/g, ' ')}`, () => {
    const faults = faultsOf(new Map([[path, line]]))
    assert.equal(faults.length, 1)
    assert.match(faults[0]!, fault)
  })
}

test('a circle of imports is a fault, one of types is not', () => {
  const circle = (kind: string) =>
    new Map([
      ['contacts/actions.ts', `${kind} { a } from '../tasks/actions.ts'`],
      ['tasks/actions.ts', `import { b } from '../deals/actions.ts'`],
      ['deals/actions.ts', `import { c } from '../contacts/actions.ts'`],
    ])
  assert.deepEqual(faultsOf(circle('import type')), [])
  assert.deepEqual(faultsOf(circle('import')), [
    'server/src: imports run in a circle: contacts/actions.ts → tasks/actions.ts → deals/actions.ts → contacts/actions.ts',
  ])
})
