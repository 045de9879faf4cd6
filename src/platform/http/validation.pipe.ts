/**
 * Input of REST and GraphQL against its class: unknown members are refused by name, a missing required field
 * answers 400, a wrong one 422, a malformed email 400 `invalid_email`. Keeps section 7.2 of the specification.
 */
import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { DomainError, type FieldError, invalidFields } from '../../kernel/domain-error.js';
import { isInputClass, type Face } from '../input/input-table.js';
import { readInput } from '../input/read-input.js';

type Flaw = FieldError & { readonly kind: 'missing' | 'email' | 'other' };

const PRIMITIVES: readonly unknown[] = [String, Boolean, Number, Array, Object, Buffer];

@Injectable()
export class InputPipe extends ValidationPipe {
  constructor() {
    super({
      whitelist: true,
      forbidNonWhitelisted: true,
      transform: true,
      // The value tells a missing field from a wrong one; it never leaves the process.
      validationError: { target: false, value: true },
      exceptionFactory: refusalOf,
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { metatype } = metadata;
    if (isInputClass(metatype)) {
      const face = faceOf(metadata);
      // Whether an argument of GraphQL may be left out is the schema's to say.
      if (face === 'graphql' && (value === undefined || value === null)) return value;
      return readInput(metatype, value, face);
    }
    if (
      metadata.type === 'body' &&
      metadata.metatype &&
      !PRIMITIVES.includes(metadata.metatype) &&
      !isRecord(value)
    )
      throw new DomainError('validation_error', 'The body must be a JSON object.');
    return super.transform(value, metadata) as Promise<unknown>;
  }
}

/** Arguments of GraphQL come as bodies that have a name, which those of REST have not. */
function faceOf({ type, data }: ArgumentMetadata): Face {
  if (type === 'query') return 'query';
  return data === undefined ? 'body' : 'graphql';
}

/** No body at all counts as an empty object, so that its missing fields are named. */
function isRecord(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && !Array.isArray(value));
}

/** The refusal that a class's failed checks amount to. */
export function refusalOf(errors: readonly ValidationError[]): DomainError {
  const flaws = errors.flatMap((error) => flawsOf(error, ''));
  const fields = flaws.map(({ field, message }) => ({ field, message }));
  if (flaws.some(({ kind }) => kind === 'missing')) return withFields('validation_error', fields);
  if (flaws.length > 0 && flaws.every(({ kind }) => kind === 'email'))
    return withFields('invalid_email', fields);
  return invalidFields(fields);
}

function withFields(code: 'validation_error' | 'invalid_email', errors: readonly FieldError[]): DomainError {
  return new DomainError(code, errors.map(({ field, message }) => `${field}: ${message}`).join('; '), {
    errors,
  });
}

function flawsOf(error: ValidationError, parent: string): readonly Flaw[] {
  const field = parent === '' ? error.property : `${parent}.${error.property}`;
  const inner = (error.children ?? []).flatMap((child) => flawsOf(child, field));
  const constraints = error.constraints;
  if (!constraints) return inner;
  if ('whitelistValidation' in constraints)
    return [{ field, message: 'is not a field that is known here', kind: 'other' }, ...inner];
  if (error.value === undefined) return [{ field, message: 'is required', kind: 'missing' }, ...inner];
  const names = Object.keys(constraints);
  const message = Object.values(constraints)
    .map((text) => withoutName(text, error.property))
    .join(', ');
  return [
    { field, message, kind: names.length === 1 && names[0] === 'isEmail' ? 'email' : 'other' },
    ...inner,
  ];
}

/** Messages of class-validator begin with the field's name, which the answer has beside them. */
function withoutName(text: string, property: string): string {
  return text.startsWith(`${property} `) ? text.slice(property.length + 1) : text;
}
