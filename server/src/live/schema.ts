/** What `GET /ui/stream` says, one JSON object a message. */
import { type Static, Type } from 'typebox'

/** `delivery` is about the deliveries of one subscription, which its id names. */
export const CHANGE_KINDS = [
  'contact',
  'task',
  'delivery',
  'import',
  'org',
  'token',
  'webhook',
  'member',
  'view',
] as const

export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** What only admins may see, they alone hear about. */
export const ADMIN_KINDS: ReadonlySet<ChangeKind> = new Set(['delivery', 'token', 'webhook'])

/** `hello` comes first: what is fetched after it misses nothing. */
export const StreamMessage = Type.Object(
  {
    kind: Type.Enum(['hello', ...CHANGE_KINDS], { type: 'string' }),
    id: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  },
  { additionalProperties: false },
)
export type StreamMessage = Static<typeof StreamMessage>
