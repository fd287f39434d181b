/** The signatures and the other headers of a delivery. */

import { createHmac } from 'node:crypto'

const SECRET_PREFIX = 'whsec_'
const SECRET_SHAPE = /^whsec_[A-Za-z0-9+/]+={0,2}$/

interface Delivery {
  /** The name of the event, as in the body. */
  event: string
  /** The delivery's id: the same whenever the same delivery is sent again. */
  deliveryId: string
  /** When this sending began, in whole seconds since 1970. */
  timestampS: number
  /** The exact bytes that go on the wire. */
  body: string | Uint8Array
  /** The subscription's secret as displayed. */
  secret: string
  /** The secret that it replaced, while that one still lives. */
  replacedSecret?: string
  /** Kith's version, for `User-Agent`. */
  version: string
}

/**
 * Makes every header of one delivery but those that HTTP itself needs. While a replaced secret lives,
 * `X-Service-Signature`, which has room for one, is signed with that one and `webhook-signature` carries both.
 *
 * @throws RangeError when a secret is not `whsec_` and base64
 * @see contract §8
 */
export function deliveryHeaders(delivery: Delivery): Record<string, string> {
  const { event, deliveryId, timestampS, body, secret, replacedSecret, version } = delivery
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': `Kith/${version} (+webhooks)`,
    'X-Service-Event': event,
    'X-Service-Delivery': deliveryId,
    'X-Service-Signature': signBody(replacedSecret ?? secret, body),
    ...standardWebhookHeaders({
      id: deliveryId,
      timestampS,
      body,
      secrets: replacedSecret === undefined ? [secret] : [secret, replacedSecret],
    }),
  }
}

/**
 * Signs the body of one delivery.
 *
 * @param secret the subscription's secret as displayed (`whsec_…`); its UTF-8 text is the key
 * @param body the exact bytes that go on the wire; a text stands for its UTF-8
 * @returns the value of `X-Service-Signature`: `sha256=` and 64 lower-case hex digits
 * @throws RangeError when `secret` is empty
 * @see contract §8
 */
export function signBody(secret: string, body: string | Uint8Array): string {
  if (secret === '') throw new RangeError('The signing secret is empty.')
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}

interface StandardMessage {
  id: string
  timestampS: number
  body: string | Uint8Array
  /** The current secret first, then the one it replaced. */
  secrets: string[]
}

/**
 * Makes the three headers of the Standard Webhooks specification, version 1: one HMAC-SHA256 a secret over
 * `id.timestamp.body`, keyed by the bytes whose base64 follows `whsec_`.
 *
 * @throws RangeError when a secret is not `whsec_` and base64
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function standardWebhookHeaders({ id, timestampS, body, secrets }: StandardMessage) {
  const signedPrefix = `${id}.${timestampS}.`
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', keyOf(secret)).update(signedPrefix).update(body).digest('base64')}`,
  )
  return { 'webhook-id': id, 'webhook-timestamp': String(timestampS), 'webhook-signature': signatures.join(' ') }
}

function keyOf(secret: string): Buffer {
  if (!SECRET_SHAPE.test(secret)) throw new RangeError('The signing secret is not whsec_ and base64.')
  return Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
}
