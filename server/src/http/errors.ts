/** Every error code of the API with its HTTP status. A test compares this table with docs/api-decisions.md. */
export const STATUS = {
  bad_request: 400,
  no_fields: 400,
  missing_api_key: 401,
  invalid_api_key: 401,
  revoked_api_key: 401,
  insufficient_scope: 403,
  not_found: 404,
  method_not_allowed: 405,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const

/** What only the web app's door answers beside those. */
export const UI_STATUS = {
  not_signed_in: 401,
  forbidden: 403,
  too_many_tries: 429,
} as const

export type ApiErrorCode = keyof typeof STATUS
export type ErrorCode = ApiErrorCode | keyof typeof UI_STATUS

const STATUS_OF: Record<ErrorCode, number> = { ...STATUS, ...UI_STATUS }

export const DETAIL_CODES = [
  'required',
  'unknown_field',
  'too_long',
  'wrong_type',
  'bad_format',
  'out_of_range',
  'not_allowed',
  'not_found',
  'not_json',
  'too_many',
] as const

export type DetailCode = (typeof DETAIL_CODES)[number]

/** One fault of an input. `path` names the field (`tags/3`, `limit`), empty for the whole body. */
export interface Detail {
  path: string
  code: DetailCode
  message: string
}

interface ApiErrorOptions {
  /** Where it differs from the code's own: a malformed request is `bad_request` with 414 or 431 too. */
  status?: number
  details?: Detail[]
  headers?: Record<string, string>
  cause?: unknown
}

/** What stops a request, or an action of the CLI, with an answer for whoever asked. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly details: Detail[] | undefined
  readonly headers: Record<string, string> | undefined

  constructor(code: ErrorCode, message: string, options: ApiErrorOptions = {}) {
    // An expected refusal needs no stack, which takes longer to gather than the rest of the answer; a cause has its own.
    const stackTraceLimit = Error.stackTraceLimit
    if (options.cause === undefined) Error.stackTraceLimit = 0
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'ApiError'
    this.code = code
    this.status = options.status ?? STATUS_OF[code]
    this.details = options.details
    this.headers = options.headers
  }
}

export const DETAILS_MAX = 100

/** A 422 that lists every fault, up to 100; the hundredth then says how many more there are. */
export function validationError(faults: Detail[]): ApiError {
  const details =
    faults.length <= DETAILS_MAX
      ? faults
      : [
          ...faults.slice(0, DETAILS_MAX - 1),
          {
            path: '',
            code: 'too_many' as const,
            message: `There are ${faults.length - DETAILS_MAX + 1} more faults.`,
          },
        ]
  const message = faults.length === 1 ? faults[0]!.message : `The request has ${faults.length} faults; see details.`
  return new ApiError('validation', message, { details })
}
