import assert from 'node:assert/strict'
import { test } from 'node:test'
import { currencies, guessedCurrency, guessedTimeZone, timeZones } from './guesses.ts'

test('the currency is that of the region which the language names or implies', () => {
  for (const [language, currency] of [
    ['en-US', 'USD'],
    ['en', 'USD'],
    ['en-GB', 'GBP'],
    ['de-CH', 'CHF'],
    ['de', 'EUR'],
    ['fi-FI', 'EUR'],
    ['ja', 'JPY'],
    ['not a language', 'EUR'],
  ] as const) {
    assert.equal(guessedCurrency(language), currency, language)
  }
})

test('what is guessed is in the lists that one chooses from', () => {
  assert.equal(timeZones()[0], 'UTC')
  assert.equal(new Set(timeZones()).size, timeZones().length)
  assert.ok(timeZones().includes(guessedTimeZone()))
  assert.deepEqual(
    currencies('en').find(({ code }) => code === 'EUR'),
    { code: 'EUR', name: 'Euro' },
  )
})
