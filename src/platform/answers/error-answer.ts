/**
 * Converts an error to its public form for REST and GraphQL: a status, a code of the catalogue, and a text that reveals
 * no internals. Implements section 7 of the specification.
 */
import { HttpException } from '@nestjs/common';
import { DomainError } from '../../kernel/domain-error.js';
import type { ErrorCode } from '../../kernel/error-catalogue.js';
import { codeOf, isTimeout, isResourceShortage, isUnreachable } from '../database/database.js';

export interface ErrorAnswer {
  readonly status: number;
  readonly error: DomainError;
  /** Whether the cause is a bug or an outage of ours, which must be logged. */
  readonly fault: boolean;
}

/** The error code and text for a status that a library chose. */
const CODES_BY_STATUS: Readonly<Record<number, { readonly code: ErrorCode; readonly detail?: string }>> = {
  401: { code: 'invalid_token' },
  403: { code: 'missing_permission' },
  404: { code: 'not_found' },
  405: { code: 'method_not_allowed' },
  409: { code: 'conflict' },
  413: { code: 'payload_too_large', detail: 'The body is larger than this endpoint accepts.' },
  415: { code: 'unsupported_media_type', detail: 'Send the body as application/json.' },
  422: { code: 'invalid_field' },
  429: { code: 'rate_limit_exceeded' },
};

/**
 * SQLSTATEs with which PostgreSQL rejects a value that passed our validation: 22001 too long; 22003 22008 22015 22023
 * 2201W 2201X out of range; 22007 22018 22P02 22P03 wrong format; 22021 22P05 invalid text; 22030 22032 to 22038
 * invalid JSON.
 */
const UNSTORABLE = /^22(?:00[1378]|01[58WX]|02[13]|03[0-9]|P0[235])$/;

/** Classifies any thrown value. */
export function answerOf(thrown: unknown): ErrorAnswer {
  if (thrown instanceof DomainError)
    return answer(thrown, thrown.status >= 500 && thrown.code === 'internal_error');
  if (thrown instanceof HttpException) return answerOfHttp(thrown);
  if (isResourceShortage(thrown))
    return answer(
      unavailable('The database is out of space: try again later.', SHORTAGE_RETRY_SECONDS),
      true,
    );
  if (isUnreachable(thrown))
    return answer(unavailable('The service cannot reach its database: try again later.'));
  if (isTimeout(thrown))
    return answer(
      unavailable('The database took too long to answer: request less data, or try again later.'),
    );
  // Without PostgreSQL's message, which quotes the input.
  if (UNSTORABLE.test(codeOf(thrown)))
    return answer(new DomainError('invalid_field', 'A value has the wrong type or is out of range.'));
  return answer(new DomainError('internal_error', 'Something went wrong on our side.'), true);
}

function answer(error: DomainError, fault = false): ErrorAnswer {
  return { status: error.status, error, fault };
}

/** Seconds until a retry makes sense: an operator must free resources first. */
const SHORTAGE_RETRY_SECONDS = 10;

function unavailable(detail: string, retryAfter = 1): DomainError {
  return new DomainError('service_unavailable', detail, { retry_after: retryAfter });
}

function answerOfHttp(exception: HttpException): ErrorAnswer {
  const status = exception.getStatus();
  if (status === 503) return answer(unavailable('The service is unavailable: try again later.'));
  if (status >= 500)
    return answer(new DomainError('internal_error', 'Something went wrong on our side.'), true);
  const known = CODES_BY_STATUS[status];
  const error = new DomainError(known?.code ?? 'validation_error', known?.detail ?? exception.message);
  return { status, error, fault: false };
}
