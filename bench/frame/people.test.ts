import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchTextOf } from '../../server/src/text/search-text.ts'
import { isUuid } from '../../server/src/uuid.ts'
import { FILTER, orgSizes, personAt, TERMS } from './people.ts'

const MANY = 20_000
const people = Array.from({ length: MANY }, (_, at) => personAt(at))

test('a contact is the same for the same number, and another in another series', () => {
  assert.deepEqual(personAt(17), personAt(17))
  assert.notDeepEqual(personAt(17).id, personAt(17, 1).id)
})

test('ids are UUIDs that grow with the number', () => {
  const ids = people.map(({ id }) => id)
  assert.deepEqual(
    ids.filter((id) => !isUuid(id)),
    [],
  )
  assert.deepEqual(ids, [...new Set(ids)].sort())
})

test('stages, labels and terms are as uneven as the benches say', () => {
  const share = (holds: (person: (typeof people)[number]) => boolean) => people.filter(holds).length / MANY
  const has = (text: string) => (person: (typeof people)[number]) =>
    searchTextOf(person.full_name, person.company).includes(text)
  const isBetween = (value: number, [least, most]: [number, number]) =>
    assert.ok(value > least && value < most, `${value}`)
  isBetween(
    share(({ deal_stage, label }) => deal_stage === FILTER.stage && label === FILTER.label),
    [0.007, 0.013],
  )
  isBetween(share(has(TERMS.commonest)), [0.55, 0.65])
  isBetween(share(has(TERMS.usual)), [0.01, 0.02])
  isBetween(share(has(TERMS.rare)), [0, 0.001])
})

test('a few orgs have most contacts, and each has one', () => {
  const sizes = orgSizes(1_000, 10_000)
  assert.equal(sizes.length, 1_000)
  assert.ok(sizes[0]! > 1_000)
  assert.equal(sizes.at(-1), 1)
})
