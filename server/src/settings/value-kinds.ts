/** The kinds of value that a setting or an option of the command can have: how each is read from text. */

import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { readPostgresUrl } from '../text/postgres-url.ts'

export interface Kind<T> {
  /** How a value is written in help: `N`, `FILE`, `pro|enterprise`. */
  placeholder: string
  /** Completes "must be …". */
  expected: string
  /** The value, or undefined when the text is not one. */
  parse(text: string): T | undefined
}

export function text(placeholder: string): Kind<string> {
  return { placeholder, expected: 'text', parse: (given) => given }
}

/** Digits only: `1e3`, `+5` and `0x5` are refused. */
export function wholeNumber(range: { min: number; max: number }): Kind<number> {
  return {
    placeholder: 'N',
    expected: `a whole number from ${range.min} to ${range.max}`,
    parse: (given) => {
      const number = /^[0-9]{1,15}$/.test(given) ? Number(given) : Number.NaN
      return number >= range.min && number <= range.max ? number : undefined
    },
  }
}

export function oneOf<const T extends string>(choices: readonly T[]): Kind<T> {
  return {
    placeholder: choices.join('|'),
    expected: `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`,
    parse: (given) => choices.find((choice) => choice === given),
  }
}

/** Comma-separated; white space around an element and empty elements are dropped. */
export function listOf<T>(element: Kind<T>): Kind<T[]> {
  return {
    placeholder: `${element.placeholder},…`,
    expected: `a comma-separated list in which each is ${element.expected}`,
    parse: (given) => {
      const values = given
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
        .map((part) => element.parse(part))
      return values.includes(undefined) ? undefined : (values as T[])
    },
  }
}

/** A setting that is said in so many words: `1`, or `0` for the opposite. */
export const oneOrZero: Kind<boolean> = {
  placeholder: '1',
  expected: '1 or 0',
  parse: (given) => (given === '1' ? true : given === '0' ? false : undefined),
}

/** A file's or folder's path, made absolute. */
export function path(placeholder: 'FILE' | 'DIR'): Kind<string> {
  return {
    placeholder,
    expected: placeholder === 'FILE' ? 'the path of a file' : 'the path of a folder',
    parse: (given) => (given === '' || given.includes('\0') ? undefined : resolve(given)),
  }
}

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_]([a-z0-9_-]{0,62}))*$/i

/** An address or a name to listen on, without a port. */
export const host: Kind<string> = {
  placeholder: 'HOST',
  expected: 'an IP address (IPv6 without brackets) or a host name, without scheme and port',
  parse: (given) => (isIP(given) || HOST_NAME.test(given) ? given : undefined),
}

/** An address or a network in CIDR form, as written. */
export const network: Kind<string> = {
  placeholder: 'NETWORK',
  expected: 'an IP address or a network such as 10.0.0.0/8',
  parse: (given) => {
    const [address = '', prefix, ...rest] = given.split('/')
    const family = isIP(address)
    if (family === 0 || rest.length > 0) return undefined
    if (prefix === undefined) return given
    return /^[0-9]{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128) ? given : undefined
  },
}

/** Scheme, host and port of a web address: `https://crm.example.com`, no slash at the end. */
export const webOrigin: Kind<string> = {
  placeholder: 'URL',
  expected: 'an https:// or http:// address without user name, path and query',
  parse: (given) => {
    const url = URL.parse(given)
    if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
    return url.href === `${url.origin}/` ? url.origin : undefined
  },
}

/** The web address of a service, as written. */
export const webAddress: Kind<string> = {
  placeholder: 'URL',
  expected: 'an https:// or http:// address without user name and fragment',
  parse: (given) => {
    const url = URL.parse(given)
    if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
    return url.username === '' && url.password === '' && !given.includes('#') ? given : undefined
  },
}

/** How somebody can be reached: it goes into a header, so it is plain ASCII. */
export const contactAddress: Kind<string> = {
  placeholder: 'ADDRESS',
  expected: 'an e-mail address or a web address, up to 200 plain characters',
  parse: (given) => (/^(?=.{3,200}$)(?:[\w.+-]+@[\w.-]+|https?:\/\/[!-'*-~]+)$/.test(given) ? given : undefined),
}

/** The web address of a map's style, or the path of a file of one (`.json`) or of tiles (`.pmtiles`), made absolute. */
export const mapStyle: Kind<string> = {
  placeholder: 'URL|FILE',
  expected: 'the web address of a style without user name and password, or the path of a .json or .pmtiles file',
  parse: (given) => {
    if (!/^https?:/i.test(given)) return /\.(?:json|pmtiles)$/i.test(given) ? path('FILE').parse(given) : undefined
    const url = URL.parse(given)
    return url && url.username === '' && url.password === '' ? url.href : undefined
  },
}

/** The address of a PostgreSQL database on one server or several, as written. */
export const postgresUrl: Kind<string> = {
  placeholder: 'URL',
  expected: 'an address such as postgres://user@host:5432/database',
  parse: (given) => (readPostgresUrl(given) ? given : undefined),
}
