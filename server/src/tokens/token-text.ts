/** The written form of an API token: `kith_`, 32 random letters and digits, and 6 more that check them. */
import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const START = 'kith_'
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 32 × log2(62) = 190 bits, 149 of them beyond the 12 characters that are listed. */
const RANDOM_LENGTH = 32
const CHECK_LENGTH = 6
const FORM = /^kith_[0-9A-Za-z]{38}$/

/** How much of a token is ever listed. */
const PREFIX_LENGTH = 12

export function newTokenText(): string {
  let text = START
  for (let i = 0; i < RANDOM_LENGTH; i++) text += ALPHABET[randomInt(ALPHABET.length)]
  return text + checkOf(text)
}

/** @returns whether this could be a token: most mistyped and foreign texts are told apart without a query */
export function isTokenText(text: string): boolean {
  return FORM.test(text) && text.endsWith(checkOf(text.slice(0, -CHECK_LENGTH)))
}

export function tokenPrefix(token: string): string {
  return token.slice(0, PREFIX_LENGTH)
}

function checkOf(text: string): string {
  let rest = crc32(text)
  let check = ''
  for (let i = 0; i < CHECK_LENGTH; i++) {
    check = ALPHABET[rest % ALPHABET.length] + check
    rest = Math.floor(rest / ALPHABET.length)
  }
  return check
}
