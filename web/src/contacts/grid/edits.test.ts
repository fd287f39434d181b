import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Contact } from '@server/contacts/schema.ts'
import { Edits } from './edits.ts'

const ada = (fields: Partial<Contact> = {}) =>
  ({
    id: 'a',
    full_name: 'Ada',
    company: 'Old',
    phone: null,
    updated_at: '2026-01-01T00:00:00.000Z',
    ...fields,
  }) as Contact

test('a change shows at once, and its row is the same object until something changes', () => {
  const edits = new Edits()
  const row = ada()
  assert.equal(edits.shown(row), row)
  edits.begin('a', { company: 'New' })
  assert.equal(edits.shown(row).company, 'New')
  assert.equal(edits.shown(row), edits.shown(row))
  assert.equal(row.company, 'Old')
})

test('a refusal brings the old value back and says why, beside other changes on their way', () => {
  const edits = new Edits()
  const company = { company: 'New' }
  edits.begin('a', company)
  edits.begin('a', { phone: '1' })
  edits.refused('a', company, (field) => `${field} is too long`)
  assert.deepEqual([edits.shown(ada()).company, edits.shown(ada()).phone], ['Old', '1'])
  assert.deepEqual(edits.refusalOf('a', 'company'), { patch: company, message: 'company is too long' })
  edits.begin('a', { company: 'Newer' })
  assert.equal(edits.refusalOf('a', 'company'), undefined, 'another try')
})

test('a page that was asked for before the change, and comes after it, does not bring the old value back', () => {
  const edits = new Edits()
  const patch = { company: 'New' }
  edits.begin('a', patch)
  edits.saved(patch, ada({ company: 'New', updated_at: '2026-01-01T00:00:05.000Z' }))
  assert.equal(edits.shown(ada()).company, 'New')
  const later = ada({ company: 'Theirs', updated_at: '2026-01-01T00:00:06.000Z' })
  assert.equal(edits.shown(later), later, 'what another has changed since is shown')
})

test('of two changes of one field the later one shows, whichever is answered first', () => {
  const edits = new Edits()
  const [first, second] = [{ company: 'One' }, { company: 'Two' }]
  edits.begin('a', first)
  edits.begin('a', second)
  edits.saved(first, ada({ company: 'One', updated_at: '2026-01-01T00:00:05.000Z' }))
  assert.equal(edits.shown(ada()).company, 'Two')
  edits.saved(second, ada({ company: 'Two', updated_at: '2026-01-01T00:00:06.000Z' }))
  assert.equal(edits.shown(ada()).company, 'Two')
})

test('listeners hear of every change', () => {
  const edits = new Edits()
  let heard = 0
  const stop = edits.subscribe(() => heard++)
  edits.begin('a', { company: 'New' })
  stop()
  edits.begin('a', { company: 'Newer' })
  assert.equal(heard, 1)
})
