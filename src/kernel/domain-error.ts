/** An error with a stable code, section 7. The HTTP and GraphQL layers add the status and format the body. */
import { ERROR_CATALOGUE, type ErrorCode } from './error-catalogue.js';
import { snakeCase, type Spelling } from './letter-case.js';

/** A validation error of one input field. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

export interface ErrorFields {
  readonly [name: string]: unknown;
  /** Seconds after which a retry may succeed. Sent as the Retry-After header. */
  readonly retry_after?: number;
  readonly errors?: readonly FieldError[];
}

export class DomainError extends Error {
  override readonly name = 'DomainError';
  /** The detail with member names as REST spells them. */
  readonly detail: string;
  readonly #detail: (spell: Spelling) => string;
  readonly #fields: (spell: Spelling) => ErrorFields;

  /**
   * @param code a stable code from the catalogue.
   * @param detail what happened and how to fix it, for people; the wording may change. Pass a function if the text
   *   contains member names.
   * @param fields extra members of the body, named as in the specification. Pass a function if the values contain
   *   member names, because REST and GraphQL spell those differently.
   */
  constructor(
    readonly code: ErrorCode,
    detail: string | ((spell: Spelling) => string),
    fields: ErrorFields | ((spell: Spelling) => ErrorFields) = {},
  ) {
    const detailAs = typeof detail === 'function' ? detail : () => detail;
    super(`${code}: ${detailAs(snakeCase)}`);
    this.detail = detailAs(snakeCase);
    this.#detail = detailAs;
    this.#fields = typeof fields === 'function' ? fields : () => fields;
  }

  /** The fields with member names as REST spells them. */
  get fields(): ErrorFields {
    return this.fieldsAs(snakeCase);
  }

  detailAs(spell: Spelling): string {
    return this.#detail(spell);
  }

  fieldsAs(spell: Spelling): ErrorFields {
    return this.#fields(spell);
  }

  get status(): number {
    return ERROR_CATALOGUE[this.code].status;
  }

  /** The response body, without the request id. */
  body(): Record<string, unknown> {
    const { retry_after: _header, ...fields } = this.fields;
    switch (ERROR_CATALOGUE[this.code].shape) {
      case 'plain':
        return { detail: this.detail, code: this.code, ...fields };
      case 'bare':
        return { detail: this.detail, ...fields };
      case 'nested':
        return { detail: { code: this.code, message: this.detail, ...fields } };
      case 'forbidden':
        return { error: 'forbidden', reason: this.code, detail: this.detail, ...fields };
    }
  }
}

/** 422: fields are present with a wrong type, length, bound or value. */
export function invalidFields(errors: readonly FieldError[]): DomainError {
  return new DomainError('invalid_field', listErrors(errors), { errors });
}

/** Formats the errors on one line. */
export function listErrors(errors: readonly FieldError[]): string {
  return errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
}

/** 400: a required field is missing. */
export function missingField(field: string): DomainError {
  return new DomainError('validation_error', `${field}: is required`, {
    errors: [{ field, message: 'is required' }],
  });
}
