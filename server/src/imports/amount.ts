/** Amounts of money as people write them: `1,234.50`, `1.234,50 €`, `CHF 1'200`, `(300)`. */

export type DecimalMark = '.' | ','

/**
 * Reads an amount with or without a currency sign or code, which is dropped.
 *
 * Spaces and apostrophes group thousands. Of `.` and `,` the last is the decimal mark when both are there; one that
 * occurs twice groups thousands. One that occurs once, before exactly three digits, can be either: `decimalMark` decides.
 *
 * @returns undefined when it is no amount; `10k` is none
 */
export function parseAmount(text: string, decimalMark: DecimalMark): number | undefined {
  const amount = partsOf(text)
  if (!amount) return undefined
  const mark = ONE_GROUP.test(amount.digits) ? decimalMark : markOf(amount.digits)
  if (!mark) return undefined
  const bare = amount.digits.replace(mark === '.' ? /[,'’\s]/g : /[.'’\s]/g, '')
  const value = Number(mark === '.' ? bare : bare.replace(',', '.'))
  return amount.isNegative ? -value : value
}

/** @returns the decimal mark that this amount shows to be in use; undefined when it is no amount or fits both */
export function decimalMarkOf(text: string): DecimalMark | undefined {
  const digits = partsOf(text)?.digits
  if (!digits || !/[.,]/.test(digits) || ONE_GROUP.test(digits)) return undefined
  return markOf(digits)
}

/** Whether this is an amount that both decimal marks fit, with another value each. */
export function isAmbiguousAmount(text: string): boolean {
  return ONE_GROUP.test(partsOf(text)?.digits ?? '')
}

interface Amount {
  /** As written, groups and mark among them. */
  digits: string
  isNegative: boolean
}

const LENGTH_MAX = 64

const AMOUNT =
  /^(?<open>\()?(?<sign>[-+\u2212])?\s*(?<before>\p{Sc}|\p{L}+\.?)?\s*(?<inner>[-+\u2212])?(?<digits>\d[\d.,'’\s]*(?:e[+-]?\d+)?)(?<after>\p{Sc}|\p{L}+\.?)?(?<close>\))?$/iu

function partsOf(text: string): Amount | undefined {
  if (text.length > LENGTH_MAX) return undefined
  const parts = AMOUNT.exec(text.trim())?.groups
  if (!parts) return undefined
  const { open, sign, before, inner, digits, after, close } = parts
  if ((open === undefined) !== (close === undefined)) return undefined
  if ([open, sign, inner].filter((part) => part !== undefined).length > 1) return undefined
  if (![before, after].every((currency) => currency === undefined || isCurrency(currency))) return undefined
  return { digits: digits!.trim(), isNegative: open !== undefined || (sign ?? inner ?? '+') !== '+' }
}

const CODES = new Set(Intl.supportedValuesOf('currency'))
const OTHER_SIGNS = new Set(['kr', 'zł', 'kč', 'ft', 'lei', 'rs', 'ден', 'лв', 'руб', 'р', 'дин'])

function isCurrency(text: string): boolean {
  return (
    /^\p{Sc}$/u.test(text) || CODES.has(text.toUpperCase()) || OTHER_SIGNS.has(text.toLowerCase().replace(/\.$/, ''))
  )
}

/** `1.234` or `1,234`, and nothing else that would tell. */
const ONE_GROUP = /^[1-9]\d{0,2}[.,]\d{3}$/

const POINT = /^(?:\d+|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,2}(?:['’\s]\d{3})+)(?:\.\d+)?(?:e[+-]?\d+)?$/i
const COMMA = /^(?:\d+|[1-9]\d{0,2}(?:\.\d{3})+|[1-9]\d{0,2}(?:['’\s]\d{3})+)(?:,\d+)?$/

function markOf(digits: string): DecimalMark | undefined {
  if (POINT.test(digits)) return '.'
  return COMMA.test(digits) ? ',' : undefined
}
