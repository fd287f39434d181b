/** What went wrong, in words for the person who wanted something. */

/** The parts of a failure that the words depend on. An `ApiFailure` has them. */
export interface FailureParts {
  status: number
  code: string
  message: string
}

/**
 * @param what failed, as a sentence: "The contacts could not be loaded."
 * @param admins whom to ask for what only an admin may do
 */
export function failureWords(failure: unknown, what = 'That did not work.', admins: string[] = []): string {
  const parts = failure as Partial<FailureParts> | undefined
  if (typeof parts?.status !== 'number') return `${what} Reload the page and try again.`
  if (parts.status === 0) return `${what} The server could not be reached: check your connection and try again.`
  if (parts.code === 'forbidden') return forbiddenWords(admins)
  if (parts.code === 'not_signed_in') return `${what} Sign in again and repeat it.`
  if (parts.status >= 500) return `${what} The fault is the server's: try again in a moment.`
  return parts.message ?? what
}

export function forbiddenWords(admins: string[]): string {
  const [first, ...others] = admins
  if (!first) return 'Only an admin can do this.'
  return `Only an admin can do this. Ask ${[first, ...others.slice(0, 2)].join(' or ')}.`
}
