import { Type } from 'typebox'
import { type ApiErrorCode, DETAIL_CODES, DETAILS_MAX, type Detail, STATUS } from '../http/errors.ts'
import type { Components, Part } from './components.ts'
import { type AnswerHeader, answerHeaders, COUNTED } from './headers.ts'
import type { Operation } from './operations.ts'

const DetailSchema = Type.Object(
  {
    path: Type.String({
      description: 'The field (`email`, `tags/3`), the parameter or the header; empty for the whole body.',
    }),
    code: Type.Enum([...DETAIL_CODES], { type: 'string', description: 'What is wrong, for programs.' }),
    message: Type.String({ description: 'What is wrong, for people.' }),
  },
  { $id: 'Detail' },
)

const ErrorSchema = Type.Object(
  {
    error: Type.Enum(Object.keys(STATUS), { type: 'string', description: 'What went wrong, for programs.' }),
    message: Type.String({ description: 'What went wrong, for people.' }),
    details: Type.Optional(
      Type.Array(DetailSchema, { description: 'Every fault; with `validation` alone.', maxItems: DETAILS_MAX }),
    ),
  },
  { $id: 'Error', description: 'What every answer with a status of 400 or more looks like.' },
)

interface ErrorResponse {
  description: string
  headers: AnswerHeader[]
  /** A message for each code that the status may come with. */
  codes: { [Code in ApiErrorCode]?: string }
  details?: Detail[]
}

const RESPONSES = {
  BadRequest: {
    description: 'The request is malformed as HTTP, or came over plain HTTP.',
    headers: ['X-Request-Id'],
    codes: { bad_request: 'The Host header is missing.' },
  },
  NoFields: {
    description: 'The body names no field to change, or the request is malformed as HTTP.',
    headers: COUNTED,
    codes: { no_fields: 'The body names no field to change.', bad_request: 'The Host header is missing.' },
  },
  Unauthorized: {
    description: 'There is no token, or not a good one.',
    headers: ['X-Request-Id', 'WWW-Authenticate'],
    codes: {
      missing_api_key: 'Send a token: Authorization: Bearer <token>.',
      invalid_api_key: 'There is no such token.',
      revoked_api_key: 'This token has been revoked.',
    },
  },
  Forbidden: {
    description: 'The token has not the scope that this needs.',
    headers: COUNTED,
    codes: { insufficient_scope: 'This needs a token with the scope write.' },
  },
  NotFound: {
    description: 'There is no such record in the org of the token, or the one that an `Idempotency-Key` made is gone.',
    headers: COUNTED,
    codes: { not_found: 'There is no such contact.' },
  },
  PayloadTooLarge: {
    description: 'The body is larger than 64 KiB.',
    headers: COUNTED,
    codes: { payload_too_large: 'The body must be at most 65536 bytes.' },
  },
  UnsupportedMediaType: {
    description: 'The body is not `application/json`, or it is compressed.',
    headers: COUNTED,
    codes: { unsupported_media_type: 'The content type must be application/json.' },
  },
  Invalid: {
    description: 'The body, a parameter or the `Idempotency-Key` breaks a rule; `details` lists every fault.',
    headers: COUNTED,
    codes: { validation: 'email must be an e-mail address.' },
    details: [{ path: 'email', code: 'bad_format', message: 'email must be an e-mail address.' }],
  },
  RateLimited: {
    description: 'The org has used its requests of this hour, or too many bad tokens came from this address.',
    headers: [...COUNTED, 'Retry-After'],
    codes: { rate_limited: 'The org has used its 5000 requests of this hour.' },
  },
  Internal: {
    description: "The server failed; its log says more under the request's id.",
    headers: ['X-Request-Id'],
    codes: { internal: 'The server failed to do this. Its log says more under the request id.' },
  },
  Unavailable: {
    description: 'The service cannot answer now. After a change it may be unknown whether it was made.',
    headers: ['X-Request-Id', 'Retry-After'],
    codes: { unavailable: 'The server is shutting down.' },
  },
} satisfies Record<string, ErrorResponse>

type ResponseName = keyof typeof RESPONSES

/** The errors that an operation may answer with, by status. */
export function errorResponses(components: Components, operation: Operation): Part {
  const takesBody = operation.body !== undefined
  const namesRecord = operation.params !== undefined || operation.method === 'POST'
  const names: ResponseName[] = [
    operation.method === 'PATCH' ? 'NoFields' : 'BadRequest',
    'Unauthorized',
    'Forbidden',
    ...(namesRecord ? (['NotFound'] as const) : []),
    ...(takesBody ? (['PayloadTooLarge', 'UnsupportedMediaType'] as const) : []),
    'Invalid',
    'RateLimited',
    'Internal',
    'Unavailable',
  ]
  return Object.fromEntries(
    names.map((name) => {
      const response: ErrorResponse = RESPONSES[name]
      const [code] = Object.keys(response.codes) as ApiErrorCode[]
      return [STATUS[code!], components.share('responses', name, describe(components, response))]
    }),
  )
}

function describe(components: Components, { description, headers, codes, details }: ErrorResponse): Part {
  const examples = Object.entries(codes).map(([error, message]) => [
    error,
    { value: { error, message, ...(details && { details }) } },
  ])
  return {
    description,
    headers: answerHeaders(components, headers),
    content: {
      'application/json': {
        schema: components.schema(ErrorSchema, 'out'),
        examples: Object.fromEntries(examples),
      },
    },
  }
}
