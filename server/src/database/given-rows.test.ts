import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { engines } from '../../../test/support/databases.ts'
import { overRows } from './given-rows.ts'

interface Given {
  name: string
  number: number | null
}

const echo = overRows<Given>()(
  { name: 'text', number: 'integer' },
  (_db, given) => sql<Given>`select given.name, given.number from ${given}`,
)

for (const engine of engines) {
  test(`${engine.name}: a statement over rows meets each of them once, however many they are`, async (t) => {
    const { db } = await engine.open(t)
    for (const count of [0, 1, 2, 3, 511, 512, 513, 1_500]) {
      const rows = Array.from({ length: count }, (_, i) => ({ name: `it's "${i}"`, number: i % 3 === 0 ? null : i }))
      const met = await echo(db.read, rows)
      assert.deepEqual(
        met.sort((a, b) => numberIn(a) - numberIn(b)),
        rows,
      )
    }
  })
}

function numberIn({ name }: Given): number {
  return Number(/\d+/.exec(name)![0])
}
