/** The last net for secrets in text that is logged or told: nothing should come here with one in it. */
import { changedPostgresUrl } from './postgres-url.ts'

/**
 * Hides API tokens beyond their listed first 12 characters, signing secrets, and the password of an address.
 *
 * @see contract §4 and security L1
 */
export function withoutSecrets(text: string): string {
  return text
    .replace(/(kith_[A-Za-z0-9]{7})[A-Za-z0-9_-]+/g, '$1…')
    .replace(/whsec_[A-Za-z0-9+/=_-]+/g, 'whsec_…')
    .replace(/(:\/\/[^\s:@/"]*:)[^\s@/"]+@/g, '$1…@')
}

/**
 * Whether the address of a database holds a password, in front of its host or as a parameter.
 *
 * @param url an address that `readPostgresUrl` can read
 */
export function holdsPassword(url: string): boolean {
  let holdsOne = false
  changedPostgresUrl(url, ({ password, searchParams }) => {
    holdsOne = password !== '' || [...searchParams.keys()].some((key) => PASSWORD_PARAMETER.test(key))
  })
  return holdsOne
}

/**
 * The address with `***` for each password.
 *
 * @param url an address that `readPostgresUrl` can read
 */
export function withoutPassword(url: string): string {
  return changedPostgresUrl(url, (masked) => {
    if (masked.password !== '') masked.password = '***'
    for (const key of masked.searchParams.keys()) {
      if (PASSWORD_PARAMETER.test(key)) masked.searchParams.set(key, '***')
    }
  })
}

const PASSWORD_PARAMETER = /^(ssl)?pass/i
