/** Why a sending failed, as a sentence for a person. */

import { errors } from 'undici'

/** A failure that its receiver (its name, address, certificate or answer) is the cause of; the message is the sentence. */
export class SendFailure extends Error {
  override name = 'SendFailure'
}

/** This process could not try: descriptors, ports or memory were used up. Nothing is known about the receiver. */
export class SendImpossible extends Error {
  override name = 'SendImpossible'
}

/**
 * Turns an error of the system, of TLS or of the HTTP parser into the failure that it means.
 *
 * @param phase what was being done when it came
 */
export function failureOf(error: unknown, phase: Phase): SendFailure | SendImpossible {
  if (error instanceof SendFailure || error instanceof SendImpossible) return error
  const code = codeOf(error)
  if (OWN_FAULTS.has(code)) {
    return new SendImpossible(`This process cannot open another connection (${code}).`, { cause: error })
  }
  return new SendFailure(sentenceOf(error, code, phase), { cause: error })
}

/** What a sending is doing. */
export type Phase = 'resolve' | 'connect' | 'tls' | 'answer'

/** The sentence for a sending that the deadline ended. */
export function overdueSentence(phase: Phase, deadlineMs: number): string {
  return `${OVERDUE[phase]} within ${deadlineMs / 1000} s.`
}

const OVERDUE: Record<Phase, string> = {
  resolve: 'The name was not resolved',
  connect: 'No connection',
  tls: 'The TLS handshake did not end',
  answer: 'No answer',
}

const OWN_FAULTS = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL', 'EAI_MEMORY'])

function sentenceOf(error: unknown, code: string, phase: Phase): string {
  if (phase === 'resolve')
    return UNKNOWN_NAME.has(code) ? 'The name could not be found.' : 'The name could not be resolved.'
  if (phase === 'connect') return CONNECT_SENTENCES.get(code) ?? 'The connection could not be made.'
  if (phase === 'tls') {
    const sentence = TLS_SENTENCES.get(code)
    if (sentence) return sentence
    return BROKEN.has(code) ? 'The connection was closed during the TLS handshake.' : 'The TLS handshake failed.'
  }
  if (isParserError(error)) return 'The answer is not valid HTTP.'
  if (code.startsWith('ERR_SSL_')) return 'The TLS connection failed before an answer came.'
  return 'The connection was closed before an answer came.'
}

const UNKNOWN_NAME = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME', 'EAI_NONAME', 'EAI_NODATA'])

const CONNECT_SENTENCES = new Map([
  ['ECONNREFUSED', 'The connection was refused.'],
  ['ECONNRESET', 'The connection was closed at once.'],
  ['ETIMEDOUT', 'The address does not answer.'],
  ['EHOSTUNREACH', 'The address cannot be reached.'],
  ['ENETUNREACH', 'The address cannot be reached.'],
])

const TLS_SENTENCES = new Map([
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'The TLS certificate is for another host.'],
  ['CERT_HAS_EXPIRED', 'The TLS certificate has expired.'],
  ['CERT_NOT_YET_VALID', 'The TLS certificate is not valid yet.'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'The TLS certificate is self-signed.'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'The TLS certificate is not from a trusted authority.'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'The TLS certificate is not from a trusted authority.'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'The TLS certificate is not from a trusted authority.'],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'The TLS certificate is not from a trusted authority, or its chain is incomplete.',
  ],
])

const BROKEN = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED'])

/** undici's parser errors do not all have a code. */
function isParserError(error: unknown): boolean {
  return error instanceof errors.HTTPParserError || error instanceof errors.ResponseContentLengthMismatchError
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}
