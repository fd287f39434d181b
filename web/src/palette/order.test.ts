import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Line, paletteSections } from './order.ts'

const LINES: Line[] = [
  { id: 'contacts', text: 'Contacts', section: 'Go to' },
  { id: 'deals', text: 'Deals', section: 'Go to' },
  { id: 'members', text: 'Members', section: 'Go to', words: 'settings people' },
  { id: 'new-contact', text: 'New contact', section: 'Create' },
  { id: 'add-note', text: 'Add note', section: 'This contact' },
]

function shown(text: string, recentIds: string[] = [], found: Line[] = []) {
  return paletteSections(LINES, { text, recentIds, found }).map(({ title, lines }) => [
    title,
    ...lines.map(({ id }) => id),
  ])
}

test('without a text the recent ones come first, each line once', () => {
  assert.deepEqual(shown('', ['deals', 'gone', 'add-note']), [
    ['Recent', 'deals', 'add-note'],
    ['Go to', 'contacts', 'members'],
    ['Create', 'new-contact'],
  ])
})

test('a beginning comes before the beginning of a word, and that before the inside', () => {
  assert.deepEqual(shown('con'), [
    ['Go to', 'contacts'],
    ['Create', 'new-contact'],
  ])
  assert.deepEqual(shown('e'), [
    ['Go to', 'deals', 'members'],
    ['Create', 'new-contact'],
    ['This contact', 'add-note'],
  ])
})

test('of equals the one used last comes first', () => {
  assert.deepEqual(shown('e', ['members'])[0], ['Go to', 'members', 'deals'])
})

test('other words find a line, after those that have it in their own', () => {
  assert.deepEqual(shown('people'), [['Go to', 'members']])
})

test('case and accents do not count', () => {
  assert.deepEqual(shown('CÓNTACTS'), [['Go to', 'contacts']])
})

test('what the server has found stays, though the text stands in another field of it', () => {
  const found = [{ id: 'contact-1', text: 'Ada Lovelace', section: 'Contacts' }]
  assert.deepEqual(shown('engines', [], found), [['Contacts', 'contact-1']])
  assert.deepEqual(shown('ad', [], found), [
    ['This contact', 'add-note'],
    ['Contacts', 'contact-1'],
  ])
})

test('a contact that was opened lately and is found is there once', () => {
  const ada = { id: 'contact-1', text: 'Ada Lovelace', section: 'Recent' }
  const sections = paletteSections([ada], {
    text: 'ada',
    recentIds: ['contact-1'],
    found: [{ ...ada, section: 'Contacts' }],
  })
  assert.deepEqual(sections, [{ title: 'Contacts', lines: [{ ...ada, section: 'Contacts' }] }])
})

test('nothing found is nothing shown', () => {
  assert.deepEqual(shown('xyz'), [])
})
