/**
 * Writes server/src/members/common-passwords.txt: passwords of 12 characters and more that people choose when they
 * must choose a long one. Run it with `node scripts/common-passwords.ts` after changing the rule.
 *
 * The rule: what people take are a word and a number, a word twice, two words, a walk over the keyboard, a count, and
 * one pattern until it is long enough. Everything is lower case, since passwords are compared so.
 */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const LENGTH_MIN = 12
const LENGTH_MAX = 32
/** Of a sign repeated and of a count. */
const LENGTHS = [12, 13, 14, 15, 16, 18, 20]

const WORDS =
  `password passwort welcome admin administrator letmein iloveyou qwerty changeme secret dragon monkey football baseball
  basketball superman batman princess sunshine master shadow michael jennifer jordan charlie computer internet summer
  winter spring autumn monday friday january december company office sales marketing manager customer support business
  london berlin paris newyork chelsea liverpool arsenal barcelona realmadrid pokemon starwars nintendo hello whatever
  trustno1 freedom google facebook samsung android windows test testing default access login guest user root hallo
  bonjour azerty qwertz schatz fussball`.split(/\s+/)

const YEARS = Array.from({ length: 47 }, (_, at) => String(1980 + at))
const NUMBERS = ['1', '12', '123', '1234', '12345', '123456', '1234567', '12345678', '123456789', '321', '007', '69']
const ENDINGS = ['!', '!!', '!!!', '1!', '12!', '123!', '1234!', '12345!', '@123', '@1234', '#123', '#1', '.', '?', '$']
const KEYBOARD = [
  ...['qwertyuiop', 'qwertzuiop', 'azertyuiop', 'asdfghjkl', 'yxcvbnm', 'zxcvbnm', '1234567890', '0987654321'],
  ...[
    '1q2w3e4r5t6z7u',
    '1q2w3e4r5t6y7u',
    '1qaz2wsx3edc4rfv',
    'qazwsxedcrfv',
    'zaq12wsxcde3',
    '!qaz2wsx3edc',
    'qweasdzxc',
  ],
  ...[
    'qwer1234',
    'asdf1234',
    'abcd1234',
    'abc123',
    'abcdefgh',
    'abcdefghijkl',
    'aa123456',
    'q1w2e3r4t5y6',
    'a1b2c3d4e5f6',
  ],
]

const BEFORE = ['my', 'the', 'ilove', 'new', 'our']
const PARTS = ['12', '123', '1234', 'abc', 'abc123', 'qwe', 'qwe123', 'asd', 'love', 'haha', 'test', '1q2w', 'pass']
const SIGNS = '0123456789abcdefghijklmnopqrstuvwxyz!*'
const PHRASES = [
  ...['correct horse battery staple', 'correcthorsebatterystaple', 'thisisapassword', 'this is a password'],
  ...['idontknow1234', 'nopassword12', 'forgotpassword', 'mypasswordis', 'letmeinplease', 'changemeplease'],
  ...['supersecretpassword', 'verysecurepassword', 'securepassword', 'temporarypassword', 'temporary123'],
  ...['defaultpassword', 'adminpassword', 'rootpassword', 'userpassword', 'passwordadmin', 'companypassword'],
]

/** The list, sorted, each once. */
export function commonPasswords(): string[] {
  const starts = [...WORDS, ...KEYBOARD]
  const candidates = [
    ...joined(starts, ['', ...YEARS, ...NUMBERS, ...ENDINGS]),
    ...joined(WORDS, joined(YEARS.slice(-12), ['!', '!!', '.', '?'])),
    ...joined(NUMBERS, starts),
    ...joined(
      starts.map((start) => start.repeat(2)),
      ['', '1', '12', '123', '!'],
    ),
    ...joined(BEFORE, joined(WORDS, ['', '1', '12', '123', '1234', '!'])),
    ...joined(WORDS.slice(0, 24), WORDS.slice(0, 24)),
    ...joined(KEYBOARD, KEYBOARD),
    ...[...SIGNS].flatMap((sign) => LENGTHS.map((length) => sign.repeat(length))),
    ...PARTS.flatMap((part) => [3, 4, 5, 6].map((times) => part.repeat(times))),
    ...Array.from({ length: 10 }, (_, from) => LENGTHS.flatMap((n) => [count(from, n, 1), count(from, n, 9)])).flat(),
    ...PHRASES,
  ]
  return [...new Set(candidates.filter(({ length }) => length >= LENGTH_MIN && length <= LENGTH_MAX))].sort()
}

function joined(firsts: string[], seconds: string[]): string[] {
  return firsts.flatMap((first) => seconds.map((second) => first + second))
}

/** `123456789012`: digits that go up by `step`, over 9 to 0. */
function count(from: number, length: number, step: number): string {
  return Array.from({ length }, (_, at) => (from + at * step) % 10).join('')
}

if (import.meta.main) {
  const file = fileURLToPath(new URL('../server/src/members/common-passwords.txt', import.meta.url))
  writeFileSync(file, `${commonPasswords().join('\n')}\n`)
}
