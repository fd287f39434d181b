/** The headers of the API and of deliveries, as the document describes them. */
import type { Components, Part } from './components.ts'

const REQUEST_ID = '0196ceb0-8a41-7f02-b6c1-9d0e5f3a7b24'
const DELIVERY_ID = '0196ceb0-9b11-7d40-8e52-3a7c1f60d9e8'

const seconds = (description: string, example: number): Part => ({
  description,
  schema: { type: 'integer', minimum: 0 },
  example,
})

const text = (description: string, example: string): Part => ({ description, schema: { type: 'string' }, example })

const ANSWER_HEADERS = {
  'X-Request-Id': text("Names the request, also in the server's log: tell it when asking for help.", REQUEST_ID),
  'RateLimit-Limit': {
    ...seconds('How many requests the org may make in an hour.', 5000),
    schema: { type: 'integer' },
  },
  'RateLimit-Remaining': seconds('How many of them are left now.', 4998),
  'RateLimit-Reset': seconds('Seconds until the oldest counted request leaves the window.', 3594),
  'Retry-After': seconds('Whole seconds after which to try again.', 12),
  'WWW-Authenticate': text('How to authenticate.', 'Bearer'),
  Location: text('The path of what was created.', '/api/v1/contacts/0196ceb0-5c1e-7a3d-8f00-2b1d9c4e7a10'),
  'Idempotent-Replayed': {
    ...text('There when this is the first answer again, and nothing new was created.', 'true'),
    schema: { type: 'string', enum: ['true'] },
  },
  'Preference-Applied': {
    ...text('There when the list was asked for with `Prefer: stale` and comes from a replica.', 'stale'),
    schema: { type: 'string', enum: ['stale'] },
  },
} satisfies Record<string, Part>

export type AnswerHeader = keyof typeof ANSWER_HEADERS

/** What every answer to a request with a good token carries. */
export const COUNTED: AnswerHeader[] = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

export function answerHeaders(components: Components, names: AnswerHeader[]): Part {
  return Object.fromEntries(names.map((name) => [name, components.share('headers', name, ANSWER_HEADERS[name])]))
}

export function idempotencyKey(components: Components): Part {
  return components.share('parameters', 'Idempotency-Key', {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A name of your own for this request, such as a random UUID. For 24 hours the same key with the same body gets ' +
      'the first answer again, and nothing is created twice.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  })
}

export function prefer(components: Components): Part {
  return components.share('parameters', 'Prefer', {
    name: 'Prefer',
    in: 'header',
    description:
      'With `stale` the list may be up to ten seconds old, and is answered by a replica where the service has one: ' +
      '`Preference-Applied` then says so.',
    schema: { type: 'string' },
    example: 'stale',
  })
}

const signature = `sha256=${'5d61a9c4e07f3b28'.repeat(4)}`

const DELIVERY_HEADERS: Record<string, Part> = {
  'X-Service-Signature': text(
    'HMAC-SHA256 of the raw body, in hex. The key is the whole signing secret as displayed, `whsec_` included.',
    signature,
  ),
  'X-Service-Event': text('The name of the event, as in the body.', 'contact.created'),
  'X-Service-Delivery': text('The same whenever the same delivery is sent again: take each only once.', DELIVERY_ID),
  'User-Agent': text('The sender and its version.', 'Kith/1.0.0 (+webhooks)'),
  'webhook-id': text('Standard Webhooks: the id of the delivery.', DELIVERY_ID),
  'webhook-timestamp': text('Standard Webhooks: when this sending began, in seconds since 1970.', '1778751000'),
  'webhook-signature': text(
    'Standard Webhooks: one signature, or two with a space between them for 24 hours after the secret was replaced.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
}

export function deliveryHeaders(components: Components): Part[] {
  return Object.entries(DELIVERY_HEADERS).map(([name, header]) =>
    components.share('parameters', name, { name, in: 'header', required: true, ...header }),
  )
}
