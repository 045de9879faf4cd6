/**
 * Documents the error codes of a route: one OpenAPI response per status, with the body of each code as an example.
 * Implements section 7 of the specification: clients branch on the codes.
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

/** Adds error codes to a route's documentation, or to every route of a controller. */
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

/** The OpenAPI response of codes with the same status. */
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
