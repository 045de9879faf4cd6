/** A refusal with a stable code, section 7. The faces (HTTP, GraphQL) give it its status and body. */
import { ERROR_CATALOGUE, type ErrorCode } from './error-catalogue.js';
import { snakeCase, type Spelling } from './letter-case.js';

/** What is wrong with one field of the input. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

export interface ErrorFields {
  readonly [name: string]: unknown;
  /** Seconds after which the call may succeed; becomes the Retry-After header. */
  readonly retry_after?: number;
  readonly errors?: readonly FieldError[];
}

export class DomainError extends Error {
  override readonly name = 'DomainError';
  /** As REST writes it. */
  readonly detail: string;
  readonly #detail: (spell: Spelling) => string;
  readonly #fields: (spell: Spelling) => ErrorFields;

  /**
   * @param code stable, from the catalogue.
   * @param detail what happened and what to do, for a person; its wording may change. A function where it names members of
   *   records, as `fields`.
   * @param fields extra members of the body, named as the specification names them; a function where they name members
   *   of records, which each face writes in its own way.
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

  /** As REST writes them. */
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

  /** The body of the answer, without the request id. */
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

/** What is wrong, in one line. */
export function listErrors(errors: readonly FieldError[]): string {
  return errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
}

/** 400: a required field is missing. */
export function missingField(field: string): DomainError {
  return new DomainError('validation_error', `${field}: is required`, {
    errors: [{ field, message: 'is required' }],
  });
}
