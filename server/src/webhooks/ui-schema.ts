/** What the web app sends and is shown of webhooks and their deliveries. */
import { type Static, Type } from 'typebox'
import { EVENT_NAMES } from '../events/names.ts'
import { nullable } from '../http/fields.ts'

const id = Type.String({ format: 'uuid' })
const time = Type.String({ format: 'date-time' })
const event = Type.Enum([...EVENT_NAMES], { type: 'string' })
const status = Type.Enum(['pending', 'delivered', 'failed'], {
  type: 'string',
  description: 'pending until it has been sent and answered.',
})

const settings = {
  url: Type.String({ description: 'Where events are posted to: https, a public address.', maxLength: 2048 }),
  events: Type.Array(event, { description: 'At least one.', maxItems: EVENT_NAMES.length, 'x-distinct': true }),
  note: nullable(Type.String({ description: 'What it is for.', maxLength: 200 })),
}

export const WebhookInput = Type.Object(
  { url: settings.url, events: settings.events, note: Type.Optional(settings.note) },
  { additionalProperties: false },
)
export type WebhookInput = Static<typeof WebhookInput>

export const WebhookPatch = Type.Object(
  {
    url: Type.Optional(settings.url),
    events: Type.Optional(settings.events),
    note: Type.Optional(settings.note),
  },
  { additionalProperties: false },
)
export type WebhookPatch = Static<typeof WebhookPatch>

export const Webhook = Type.Object({
  id,
  ...settings,
  paused_at: nullable(time),
  old_secret_until: nullable(time),
  created_at: time,
})
export type Webhook = Static<typeof Webhook>

/** The only answers that hold a signing secret. */
export const MadeWebhook = Type.Object({ id, url: settings.url, events: settings.events, secret: Type.String() })
export const RotatedSecret = Type.Object({ id, secret: Type.String(), old_secret_until: time })

/** How the attempts of one hour ended. */
export const HourOfAttempts = Type.Object({
  at: Type.String({ description: 'When the hour began.' }),
  delivered: Type.Integer(),
  failed: Type.Integer(),
})
export type HourOfAttempts = Static<typeof HourOfAttempts>

export const LoggedDelivery = Type.Object({
  id,
  subscription_id: id,
  subscription_url: Type.String(),
  event,
  is_test: Type.Boolean({ description: 'Whether somebody asked for it with Send test.' }),
  contact: Type.Unsafe<{ id: string; name: string } | null>({
    type: ['object', 'null'],
    description: 'Whom it is about; null for a task of nobody and a test.',
  }),
  status,
  response_status: nullable(Type.Integer()),
  error: nullable(Type.String({ description: 'A sentence; null when delivered.' })),
  attempts: Type.Integer(),
  duration_ms: nullable(Type.Integer()),
  created_at: time,
  finished_at: nullable(time),
})
export type LoggedDelivery = Static<typeof LoggedDelivery>

export const ListedWebhook = Type.Object({
  ...Webhook.properties,
  last_delivery: Type.Unsafe<LoggedDelivery | null>({ type: ['object', 'null'] }),
  hours: Type.Array(HourOfAttempts, { description: 'The last 24 hours, the oldest first.' }),
})
export type ListedWebhook = Static<typeof ListedWebhook>

export const SendingAgain = Type.Object({ total: Type.Integer(), done: Type.Integer() })
export type SendingAgain = Static<typeof SendingAgain>

export const WebhookDetails = Type.Object({
  ...Webhook.properties,
  hours: Type.Array(HourOfAttempts, { description: 'The last 7 days, the oldest first.' }),
  sending_again: Type.Unsafe<SendingAgain | null>({
    type: ['object', 'null'],
    description: 'How far the failed ones are that are being sent again; null when none are.',
  }),
})
export type WebhookDetails = Static<typeof WebhookDetails>

const Header = Type.Array(Type.String(), { description: 'Name and value.' })

export const DeliveryAttempt = Type.Object({
  number: Type.Integer(),
  started_at: time,
  duration_ms: Type.Integer(),
  delivered: Type.Boolean(),
  response_status: nullable(Type.Integer()),
  error: nullable(Type.String()),
  url: Type.String({ description: 'The one really used.' }),
  request_headers: Type.Array(Header),
  response_headers: Type.Unsafe<[string, string][] | null>({ type: ['array', 'null'] }),
  response_body: nullable(Type.String({ description: 'Its first 16 KiB, as text.' })),
  timings: Type.Object({
    resolve_ms: nullable(Type.Number()),
    connect_ms: nullable(Type.Number()),
    tls_ms: nullable(Type.Number()),
    first_byte_ms: nullable(Type.Number()),
  }),
})
export type DeliveryAttempt = Static<typeof DeliveryAttempt>

export const DeliveryDetails = Type.Object({
  ...LoggedDelivery.properties,
  body: Type.String({ description: 'Exactly what is signed and sent.' }),
  tries: Type.Array(DeliveryAttempt, { description: 'The newest first.' }),
})
export type DeliveryDetails = Static<typeof DeliveryDetails>

const logFields = {
  status: Type.Optional(status),
  event: Type.Optional(event),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Made at this time or later.' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Made before this time.' })),
  before: Type.Optional(Type.String({ format: 'uuid', description: 'Older than this delivery.' })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
}

export const ContactLogQuery = Type.Object(logFields, { additionalProperties: false })
export type ContactLogQuery = Static<typeof ContactLogQuery>

export const LogQuery = Type.Object(
  { ...logFields, contact_id: Type.Optional(Type.String({ format: 'uuid' })) },
  { additionalProperties: false },
)
export type LogQuery = Static<typeof LogQuery>

export const LogPage = Type.Object({ data: Type.Array(LoggedDelivery) })

export const UrlCheckInput = Type.Object({ url: Type.String({ maxLength: 4096 }) }, { additionalProperties: false })
export const UrlCheck = Type.Object({
  refused: nullable(Type.String({ description: 'Why nothing may be sent there; null when it may.' })),
})

export const TestInput = Type.Object({ event }, { additionalProperties: false })
export type TestInput = Static<typeof TestInput>
export const TestAnswer = Type.Object({ delivery_id: id })

export const FailedQuery = Type.Object({ since: time }, { additionalProperties: false })
export const FailedCount = Type.Object({ count: Type.Integer() })

export const SendAgainInput = Type.Object(
  {
    since: time,
    per_minute: Type.Optional(
      nullable(
        Type.Integer({ description: 'How many a minute; null as fast as they can.', minimum: 1, maximum: 6000 }),
      ),
    ),
  },
  { additionalProperties: false },
)
export type SendAgainInput = Static<typeof SendAgainInput>
export const SendAgainAnswer = Type.Object({ queued: Type.Integer() })
