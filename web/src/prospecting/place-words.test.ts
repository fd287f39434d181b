import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addedSentence,
  distanceText,
  foundSentence,
  isShareAlike,
  kindText,
  nothingSentence,
  phoneLink,
  siteLink,
  tagsFrom,
} from './place-words.ts'

test('a kind is as exact as the source says it, and is not said twice', () => {
  assert.equal(kindText({ category: 'cafe', category_text: 'cafe' }), 'Café')
  assert.equal(kindText({ category: 'fast_food', category_text: 'fast_food' }), 'Fast food')
  assert.equal(kindText({ category: 'craft', category_text: 'shoe_repair' }), 'Craft: shoe repair')
  assert.equal(kindText({ category: 'other', category_text: 'ice_cream' }), 'Ice cream')
  assert.equal(kindText({ category: 'other', category_text: null }), 'Other')
  assert.equal(kindText({ category: null, category_text: null }), '')
})

test('a distance is in metres or kilometres', () => {
  assert.deepEqual(
    [0, 347, 949, 950, 1_420, 12_600].map((metres) => distanceText(metres, 'en')),
    ['0 m', '350 m', '950 m', '1 km', '1.4 km', '13 km'],
  )
})

test('a site is linked when it is a page of the web, and only then', () => {
  assert.deepEqual(siteLink('https://www.zhito.example/menu'), {
    href: 'https://www.zhito.example/menu',
    text: 'zhito.example',
  })
  assert.equal(siteLink('zhito.example')?.href, 'https://zhito.example/')
  assert.equal(siteLink('zhito.example:8080/a')?.href, 'https://zhito.example:8080/a')
  for (const wrong of [
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://a.example/',
    'nothing',
    '',
    'mailto:a@b.example',
  ]) {
    assert.equal(siteLink(wrong), undefined, wrong)
  }
})

test('a phone is linked when it can be called', () => {
  assert.equal(phoneLink('+389 2 3225-111; +389 70 1'), 'tel:+38923225111')
  for (const wrong of [null, '', 'ask inside', '12']) assert.equal(phoneLink(wrong), undefined)
})

test('what was found is counted, and what is known already', () => {
  assert.deepEqual(
    [foundSentence(48, 0), foundSentence(48, 1), foundSentence(1_048, 12), foundSentence(3, 3), foundSentence(1, 1)],
    [
      '48 places found.',
      '48 places, 1 of them already a contact.',
      '1,048 places, 12 of them already contacts.',
      '3 places, all of them already contacts.',
      '1 place, already a contact.',
    ],
  )
})

test('nothing found says what was looked for', () => {
  assert.equal(nothingSentence({ category: 'cafe' }), 'No cafés here in this source.')
  assert.equal(nothingSentence({ text: 'pizza' }), 'No places called “pizza” here in this source.')
})

test('what was added is told with what was there already', () => {
  assert.deepEqual(
    [addedSentence(12, 0, 0), addedSentence(11, 1, 0), addedSentence(0, 12, 2)],
    [
      '12 added.',
      '11 added. 1 was a contact already.',
      '0 added. 12 were contacts already. 2 are gone from the source.',
    ],
  )
})

test('data under ODbL is known by its licence', () => {
  const source = { id: 'overpass', kind: 'overpass', name: '', attribution: '', attribution_url: null } as const
  const isIt = (licence: string | null) => isShareAlike({ ...source, places: null, box: null, licence })
  assert.deepEqual(['ODbL-1.0', 'Open Database License', 'CC BY 4.0', null].map(isIt), [true, true, false, false])
})

test('tags are parted by commas, each once', () => {
  assert.deepEqual(tagsFrom(' coffee, Skopje,, coffee '), ['coffee', 'Skopje'])
  assert.deepEqual(tagsFrom(''), [])
})
