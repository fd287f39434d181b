/** Headers that every answer has (security H6, H7). */
const EVERY_ANSWER = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

const API_ANSWER = {
  ...EVERY_ANSWER,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

const OVER_TLS = { 'strict-transport-security': 'max-age=63072000' }

export function answerHeaders({ isTls }: { isTls: boolean }): Record<string, string> {
  return { ...API_ANSWER, ...(isTls && OVER_TLS) }
}
