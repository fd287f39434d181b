/**
 * Waits no longer than `timeoutMs` for a promise; what becomes of it after that is not looked at.
 *
 * @throws Error when the time is over, else what the promise rejects with
 */
export async function within<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`No answer within ${timeoutMs} ms.`)), timeoutMs)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
