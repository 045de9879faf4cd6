/**
 * Documents which error codes a route can answer with: one OpenAPI response per status, with the body of each
 * code as an example. Keeps section 7 of the specification: the codes are the contract that clients branch on.
 */
import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { ERROR_CATALOGUE, type ErrorCode } from '../../kernel/error-catalogue.js';
import { errorExample } from './error-examples.js';

interface ErrorResponse {
  readonly description: string;
  readonly content: {
    readonly 'application/json': {
      readonly schema: { readonly $ref: string };
      readonly examples: Record<string, { value: Record<string, unknown> }>;
    };
  };
}

/** Adds the given codes to the description of a route, or of every route of a controller. */
export function ApiErrors(...codes: ErrorCode[]): MethodDecorator & ClassDecorator {
  const statuses = [...new Set(codes.map((code) => ERROR_CATALOGUE[code].status))];
  return applyDecorators(
    ...statuses.map((status) =>
      ApiResponse({
        status,
        ...errorResponse(codes.filter((code) => ERROR_CATALOGUE[code].status === status)),
      }),
    ),
  );
}

/** The OpenAPI response of codes that share a status. */
export function errorResponse(codes: readonly ErrorCode[]): ErrorResponse {
  return {
    description: codes.join(', '),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(codes.map((code) => [code, { value: errorExample(code) }])),
      },
    },
  };
}
