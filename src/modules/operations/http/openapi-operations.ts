/** Adds what all operations of a kind have in common to the OpenAPI document: credentials, usual errors, examples. */
import type { OpenAPIObject } from '@nestjs/swagger';
import { ERROR_CATALOGUE, type ErrorCode } from '../../../kernel/error-catalogue.js';
import { errorResponse } from '../../../platform/http/api-errors.decorator.js';

export type Credentials = 'none' | 'person' | 'person or key';

type Paths = OpenAPIObject['paths'];
type Operation = NonNullable<Paths[string]['get']>;
type Responses = Operation['responses'];
type Schema = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string];

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

const BY_PERSON = { bearer: [] };
const BY_KEY = { apiKey: [], workspace: [] };
const SECURITY: Readonly<Record<Credentials, Record<string, string[]>[]>> = {
  none: [],
  person: [BY_PERSON],
  'person or key': [BY_PERSON, BY_KEY],
};

const TOKEN_ERRORS: readonly ErrorCode[] = [
  'missing_token',
  'token_expired',
  'invalid_token',
  'missing_workspace_id',
];
const MEMBER_ERRORS: readonly ErrorCode[] = [
  'missing_permission',
  'workspace_mismatch',
  'workspace_suspended',
];
const COMMON_ERRORS: Readonly<Record<Credentials, readonly ErrorCode[]>> = {
  none: ['internal_error'],
  person: [
    ...TOKEN_ERRORS,
    ...MEMBER_ERRORS,
    'control_plane_only',
    'rate_limit_exceeded',
    'internal_error',
    'auth_unavailable',
  ],
  'person or key': [
    ...TOKEN_ERRORS,
    'missing_api_key',
    'invalid_api_key',
    ...MEMBER_ERRORS,
    'insufficient_scope',
    'rate_limit_exceeded',
    'internal_error',
    'auth_unavailable',
  ],
};
const BODY_ERRORS: readonly ErrorCode[] = [
  'validation_error',
  'payload_too_large',
  'unsupported_media_type',
  'invalid_field',
];

/** The schema of every error; the examples show the three shapes. */
export const ERROR_SCHEMA: Schema = {
  type: 'object',
  required: ['detail', 'request_id'],
  properties: {
    detail: {
      description:
        'What went wrong and how to fix it. For some flow errors, an object with code and message.',
      oneOf: [{ type: 'string' }, { type: 'object' }],
    },
    code: { type: 'string', enum: Object.keys(ERROR_CATALOGUE).sort(), description: 'A stable error code.' },
    error: { type: 'string', enum: ['forbidden'], description: 'Set for scope, role and plane errors.' },
    reason: { type: 'string', description: 'The error code of scope, role and plane errors.' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['field', 'message'],
        properties: { field: { type: 'string' }, message: { type: 'string' } },
      },
    },
    request_id: { type: 'string' },
  },
  additionalProperties: true,
};

/** Completes every operation in place. */
export function completeOperations(
  document: OpenAPIObject,
  credentials: ReadonlyMap<string, Credentials>,
): void {
  for (const path of Object.values(document.paths)) {
    for (const method of METHODS) {
      const operation = path[method];
      if (operation) complete(operation, credentials.get(operation.operationId ?? '') ?? 'person');
    }
  }
}

function complete(operation: Operation, credentials: Credentials): void {
  operation.security = SECURITY[credentials];
  const codes = [...COMMON_ERRORS[credentials], ...(operation.requestBody ? BODY_ERRORS : [])];
  for (const status of new Set(codes.map((code) => ERROR_CATALOGUE[code].status))) {
    const usual = codes.filter((code) => ERROR_CATALOGUE[code].status === status);
    operation.responses[status] = merged(operation.responses[status], usual);
  }
}

/** Merges the route's own response for a status with the usual codes of that status. */
function merged(own: Responses[string] | undefined, usual: readonly ErrorCode[]): Responses[string] {
  const usualResponse = errorResponse(usual);
  if (!own || !('content' in own)) return usualResponse;
  const ownContent = own.content?.['application/json'];
  if (!ownContent?.examples) return own;
  const { schema, examples } = usualResponse.content['application/json'];
  const all = { ...ownContent.examples, ...examples };
  return {
    description: Object.keys(all).join(', '),
    content: { 'application/json': { schema, examples: all } },
  };
}

const MOMENT = '2026-04-07T09:30:00.000Z';
const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: '01931f2a-5b7c-7d3e-8f10-2a4b6c8d0e1f',
  'date-time': MOMENT,
  email: 'ada@example.com',
};
const BY_TYPE: Readonly<Record<string, unknown>> = { string: 'text', integer: 1, number: 1, boolean: true };

/** Adds an example to every simple field without one, so that each body can be shown completely. */
export function completeExamples(document: OpenAPIObject): void {
  for (const schema of Object.values(document.components?.schemas ?? {})) {
    if (schema === ERROR_SCHEMA || !('properties' in schema)) continue;
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      if ('$ref' in field || field.example !== undefined || field.enum || field.default !== undefined)
        continue;
      const ofName = name === 'id' || name.endsWith('_id') ? BY_FORMAT['uuid'] : undefined;
      const example = BY_FORMAT[field.format ?? ''] ?? ofName ?? BY_TYPE[String(field.type)];
      if (example !== undefined) field.example = example;
    }
  }
}
