/** Turns whatever stopped a request into its answer: the one place where that is done. */
import { isAway, unavailable } from '../database/faults.ts'
import { ApiError, type Detail, type ErrorCode } from './errors.ts'

export interface ErrorAnswer {
  status: number
  headers: Record<string, string>
  body: { error: ErrorCode; message: string; details?: Detail[] }
}

export function answerOf(error: unknown): ErrorAnswer {
  const { code, status, message, headers, details } = apiErrorOf(error)
  return { status, headers: headers ?? {}, body: { error: code, message, ...(details && { details }) } }
}

export function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (isAway(error)) return unavailable(error)
  const fastifyCode = (error as { code?: unknown } | null)?.code
  const known = typeof fastifyCode === 'string' ? FASTIFY_ERRORS[fastifyCode] : undefined
  if (known) return new ApiError(known[0], known[1], { cause: error })
  return new ApiError('internal', 'The server failed to do this. Its log says more under the request id.', {
    cause: error,
  })
}

/** Refusals of the framework that our own checks do not come before. */
const FASTIFY_ERRORS: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'The content type must be application/json.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['bad_request', 'The body has another length than Content-Length says.'],
  FST_ERR_BAD_URL: ['not_found', 'There is nothing at this path.'],
}
