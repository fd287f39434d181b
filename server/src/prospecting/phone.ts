/** When two writings of telephone numbers are one number. */

export interface Phone {
  /** Without a country's `+` or `00`, and without the `0` that is dialled within a country. */
  digits: string
  isInternational: boolean
}

/** Of what an index finds a number by. Shorter numbers are not compared: most are short codes, such as a police's. */
const END_LENGTH = 7
/** A national number has so many at least; a shorter one, dialled within a town, may be somebody else's elsewhere. */
const NATIONAL_DIGITS_MIN = 8
const COUNTRY_DIGITS_MAX = 3

/** The numbers in a text: map makers write several with a semicolon, or a comma, between them. */
export function phonesOf(text: string | null): Phone[] {
  if (text === null) return []
  return text.split(/[;,]/).flatMap((one) => phoneOf(one) ?? [])
}

function phoneOf(text: string): Phone | undefined {
  // `+44 (0)20`: the 0 in brackets is left out from abroad.
  const plain = text.replace(/^\s*tel:/i, '').replace('(0)', '')
  if (!/^[\s\u00a0+()./\-\u2010-\u2015\d]*$/.test(plain)) return undefined
  const digits = plain.replace(/\D/g, '')
  const isInternational = /^\s*\(?\+/.test(plain) || digits.startsWith('00')
  const national = digits.replace(isInternational ? /^0{2}/ : /^0/, '')
  return national.length < END_LENGTH ? undefined : { digits: national, isInternational }
}

/** The end that all writings of a number have, when what stands between the digits is taken out. */
export function phoneEnd({ digits }: Phone): string {
  return digits.slice(-END_LENGTH)
}

/** Whether two numbers are one, where either may be written with its country or without. */
export function isSamePhone(one: Phone, other: Phone): boolean {
  if (one.isInternational === other.isInternational) return one.digits === other.digits
  const [international, national] = one.isInternational ? [one, other] : [other, one]
  const countryDigits = international.digits.length - national.digits.length
  return (
    national.digits.length >= NATIONAL_DIGITS_MIN &&
    countryDigits > 0 &&
    countryDigits <= COUNTRY_DIGITS_MAX &&
    international.digits.endsWith(national.digits)
  )
}
