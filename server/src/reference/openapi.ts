/** The OpenAPI description of the API, made of the schemas that validate and write. */
import type { TSchema } from 'typebox'
import { EVENT_NAMES, type EventName } from '../events/names.ts'
import { EVENT_BODIES } from '../events/schema.ts'
import { VERSION } from '../version.ts'
import { Components, type Part } from './components.ts'
import { errorResponses } from './error-responses.ts'
import { EVENT_EXAMPLES, OPERATION_EXAMPLES } from './examples.ts'
import { EVENT_NOTES, GUIDE, TAGS } from './guide.ts'
import { answerHeaders, COUNTED, deliveryHeaders, idempotencyKey, prefer } from './headers.ts'
import type { Operation } from './operations.ts'

export interface OpenApiDocument extends Part {
  paths: Record<string, Record<string, Part>>
  webhooks: Record<string, Record<string, Part>>
  components: Record<'schemas' | 'parameters' | 'headers' | 'responses' | 'securitySchemes', Part>
}

/**
 * Describes the API as OpenAPI 3.1.
 *
 * @param baseUrl where it is served, without a slash at the end; null leaves it to where the document came from
 */
export function openApiDocument(operations: Operation[], baseUrl: string | null): OpenApiDocument {
  const components = new Components()
  const paths: OpenApiDocument['paths'] = {}
  for (const operation of operations) {
    paths[operation.path] ??= {}
    paths[operation.path]![operation.method.toLowerCase()] = describe(components, operation)
  }
  const webhooks = Object.fromEntries(EVENT_NAMES.map((name) => [name, { post: describeEvent(components, name) }]))
  const { schemas, parameters, headers, responses } = components
  return {
    openapi: '3.1.1',
    info: {
      title: 'Kith API',
      summary: 'The CRM that other programs can rely on',
      version: VERSION,
      description: GUIDE,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl ?? '/' }],
    tags: TAGS,
    paths,
    webhooks,
    components: { schemas, parameters, headers, responses, securitySchemes: { token: TOKEN } },
  }
}

const TOKEN = { type: 'http', scheme: 'bearer', description: 'A token with the scope that the operation needs.' }

function describe(components: Components, operation: Operation): Part {
  const { operationId, summary, description, tags, scope, body } = operation
  const { request, answer } = OPERATION_EXAMPLES[operationId] ?? {}
  const parameters = parametersOf(components, operation)
  return {
    operationId,
    summary,
    description: [description, `Needs a token with the scope \`${scope}\`.`].filter(Boolean).join(' '),
    tags,
    security: [{ token: [scope] }],
    'x-required-scope': scope,
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: json(components.schema(body, 'in'), request) } }),
    responses: { ...successOf(components, operation, answer), ...errorResponses(components, operation) },
  }
}

function parametersOf(components: Components, operation: Operation): Part[] {
  const { params, querystring, method } = operation
  return [
    ...Object.entries<TSchema>(params?.properties ?? {}).map(([name, schema]) => parameter('path', name, schema)),
    ...Object.entries<TSchema>(querystring?.properties ?? {}).map(([name, schema]) => parameter('query', name, schema)),
    ...(method === 'POST' ? [idempotencyKey(components)] : []),
    ...(isList(operation) ? [prefer(components)] : []),
  ]
}

function isList({ querystring }: Operation): boolean {
  return querystring?.properties.limit !== undefined
}

function parameter(place: 'path' | 'query', name: string, schema: TSchema): Part {
  const { description, ...rest } = schema as TSchema & { description?: string }
  return { name, in: place, ...(place === 'path' && { required: true }), description, schema: rest }
}

function successOf(components: Components, operation: Operation, example: object | undefined): Part {
  const { response, method } = operation
  const [status, schema] = Object.entries(response)[0]!
  const headers = [...COUNTED]
  if (method === 'POST') headers.push('Location', 'Idempotent-Replayed')
  if (isList(operation)) headers.push('Preference-Applied')
  return {
    [status]: {
      description: ANSWERS[method] ?? 'The answer.',
      headers: answerHeaders(components, headers),
      content: json(components.schema(schema, 'out'), example),
    },
  }
}

const ANSWERS: Record<string, string> = {
  GET: 'What was asked for.',
  POST: 'The whole new record.',
  PATCH: 'The whole record as it is now.',
  DELETE: 'It is gone.',
}

function describeEvent(components: Components, name: EventName): Part {
  const { summary, description } = EVENT_NOTES[name]
  return {
    operationId: `on${name.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    summary,
    description,
    tags: ['Events'],
    security: [],
    parameters: deliveryHeaders(components),
    requestBody: { required: true, content: json(components.schema(EVENT_BODIES[name], 'out'), EVENT_EXAMPLES[name]) },
    responses: {
      '2XX': { description: 'It is recorded as delivered.' },
      default: { description: 'It is recorded as failed; redirects are not followed.' },
    },
  }
}

function json(schema: Part, example: object | undefined): Part {
  return { 'application/json': { schema, ...(example && { example }) } }
}
