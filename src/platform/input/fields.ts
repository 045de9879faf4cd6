/** Decorators for the kinds of input fields. Each declares what a member accepts, for both REST and GraphQL. */
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { DomainError, type FieldError } from '../../kernel/domain-error.js';
import { isEmailAddress } from '../../kernel/email-address.js';
import { EARLIEST_MOMENT, LATEST_MOMENT, readIsoMoment } from '../../kernel/iso-moment.js';
import { isJsonObject, type JsonObject } from '../../kernel/json.js';
import { isUuid } from '../../kernel/tenant-scope.js';
import { choiceCheck, flagCheck, searchTextCheck, textCheck, textsCheck, integerCheck } from './checks.js';
import { field, type FieldOptions } from './input-class.js';
import type { Check, InputClass, InputField, InputContext } from './input-table.js';
import { readNested, refuse, refuseAs, nestedContext } from './read-input.js';

const JSON_OBJECT: ApiPropertyOptions = { type: 'object', additionalProperties: true };

/** A text; lengths are in characters. */
export function Text(
  options: FieldOptions<string> & {
    readonly min?: number;
    readonly max?: number;
    readonly pattern?: RegExp;
  } = {},
): PropertyDecorator {
  const { min, max, pattern } = options;
  const api = {
    type: String,
    ...(min === undefined ? {} : { minLength: min }),
    ...(max === undefined ? {} : { maxLength: max }),
    ...(pattern ? { pattern: pattern.source } : {}),
  };
  return field({ check: textCheck(min, max), api, graphql: String }, options);
}

export function Email(options: FieldOptions = {}): PropertyDecorator {
  const check: Check = (value) =>
    typeof value === 'string' && isEmailAddress(value) ? undefined : 'must be an email address';
  return field({ check, api: { type: String, format: 'email' }, graphql: String, isEmail: true }, options);
}

/** A list of `min` to `max` email addresses; surrounding whitespace is removed. */
export function Emails(
  options: FieldOptions & { readonly min: number; readonly max: number },
): PropertyDecorator {
  const { min, max } = options;
  const read: InputField['read'] = (value, context) => {
    const problem = textsCheck(min, max)(value);
    if (problem !== undefined) return refuse(context, problem);
    const emails = (value as readonly string[]).map((text) => text.trim());
    emails.forEach((email, index) => {
      if (!isEmailAddress(email))
        refuse(nestedContext(context, String(index), true), 'must be an email address', 'email');
    });
    return emails;
  };
  const api = { type: String, format: 'email', isArray: true, minItems: min, maxItems: max };
  return field({ read, api, graphql: [String] }, options);
}

/** One value of a list; in GraphQL an enum of the same values, if one is given. */
export function OneOf(
  choices: readonly string[],
  options: FieldOptions & { readonly enumType?: object } = {},
): PropertyDecorator {
  const { enumType } = options;
  return field(
    {
      check: choiceCheck(choices),
      api: { type: String, enum: [...choices] },
      graphql: enumType ?? String,
    },
    options,
  );
}

export function Flag(options: FieldOptions = {}): PropertyDecorator {
  return field({ check: flagCheck, api: { type: Boolean }, graphql: Boolean, isFlag: true }, options);
}

/** An integer. */
export function Integer(
  options: FieldOptions & { readonly min?: number; readonly max?: number } = {},
): PropertyDecorator {
  const { min, max } = options;
  const api = {
    type: 'integer',
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
  } as const;
  const check = integerCheck(min ?? Number.MIN_SAFE_INTEGER, max ?? Number.MAX_SAFE_INTEGER);
  return field({ check, api, graphql: 'Int', isNumber: true }, options);
}

/**
 * A JSON object, kept as written.
 * @param options `errorsOf` returns the errors inside the object, with paths that begin with the given one.
 */
export function Json(
  options: FieldOptions<JsonObject> & {
    readonly errorsOf?: (value: unknown, path: string) => readonly FieldError[];
  } = {},
): PropertyDecorator {
  const { errorsOf } = options;
  if (errorsOf)
    return field(
      {
        read: (value, context) => {
          for (const error of errorsOf(value, context.path)) context.flaws.push({ ...error, kind: 'other' });
          return value;
        },
        api: JSON_OBJECT,
        graphql: 'JSON',
      },
      options,
    );
  const check: Check = (value) => (isJsonObject(value) ? undefined : 'must be an object');
  return field({ check, api: JSON_OBJECT, graphql: 'JSON' }, options);
}

/** A list of `min` to `max` texts. */
export function Texts(
  options: FieldOptions<readonly string[]> & { readonly min?: number; readonly max?: number } = {},
): PropertyDecorator {
  const { min, max } = options;
  const api = {
    type: String,
    isArray: true,
    ...(min === undefined ? {} : { minItems: min }),
    ...(max === undefined ? {} : { maxItems: max }),
  };
  return field({ check: textsCheck(min, max), api, graphql: [String] }, options);
}

/** A nested input. */
export function Nested(inputClass: InputClass, options: FieldOptions = {}): PropertyDecorator {
  return field(
    {
      read: (value, context) => readNested(inputClass, value, context),
      api: { type: inputClass },
      graphql: inputClass,
    },
    options,
  );
}

/** A nested input that is JSON in GraphQL, with the names of REST. */
export function JsonOf(inputClass: InputClass, options: FieldOptions = {}): PropertyDecorator {
  return field(
    {
      read: (value, context) => readNested(inputClass, value, { ...context, source: 'body' }),
      api: { type: inputClass },
      graphql: 'JSON',
    },
    options,
  );
}

/** JSON that its own parser validates: a language, or a map of inputs. */
export function Read(read: InputField['read'], options: FieldOptions = {}): PropertyDecorator {
  return field({ read, api: JSON_OBJECT, graphql: 'JSON' }, options);
}

/** A text to search for. A text that no record can contain matches nothing, but is valid. */
export function SearchText(
  options: FieldOptions<string> & {
    readonly max?: number;
    /** The format, for the OpenAPI document. */
    readonly format?: string;
    readonly isId?: true;
  } = {},
): PropertyDecorator {
  const { max, format, isId } = options;
  const api = {
    type: String,
    ...(max === undefined ? {} : { maxLength: max }),
    ...(format === undefined ? {} : { format }),
  };
  return field({ check: searchTextCheck(max), api, graphql: isId ? 'ID' : String }, options);
}

export function Uuid(options: FieldOptions = {}): PropertyDecorator {
  const check: Check = (value) => (isUuid(value) ? undefined : 'must be a UUID');
  return field({ check, api: { type: String, format: 'uuid' }, graphql: 'ID' }, options);
}

/** A list of `min` to `max` UUIDs. A list of another length has the error code `too_long` or `too_short`. */
export function Uuids(
  options: FieldOptions & { readonly min: number; readonly max: number },
): PropertyDecorator {
  const { min, max } = options;
  const read: InputField['read'] = (value, context) => {
    if (!Array.isArray(value)) return refuse(context, 'must be a list of UUIDs');
    if (value.length < min || value.length > max)
      return refuseAs(lengthError(context, value.length, min, max), context);
    value.forEach((item, index) => {
      if (!isUuid(item)) refuse(nestedContext(context, String(index), true), 'must be a UUID');
    });
    return value as readonly unknown[];
  };
  const api = { type: String, format: 'uuid', isArray: true, minItems: min, maxItems: max };
  return field({ read, api, graphql: ['ID'] }, options);
}

function lengthError({ path }: InputContext, length: number, min: number, max: number): DomainError {
  const message = `must contain ${min} to ${max} items`;
  const code = length > max ? 'too_long' : 'too_short';
  return new DomainError(code, `${path}: ${message}`, { errors: [{ field: path, message }] });
}

/**
 * A moment, parsed to a Date. In REST an ISO 8601 text: UTC without an offset, and the start of the day for a date
 * only.
 */
export function Moment(options: FieldOptions = {}): PropertyDecorator {
  const read: InputField['read'] = (value, context) => {
    if (value instanceof Date) return value;
    // GraphQL passes a Date; a text is a value that its scalar could not parse.
    const moment =
      typeof value === 'string' && context.source !== 'graphql' ? readIsoMoment(value) : undefined;
    if (moment && moment.start >= EARLIEST_MOMENT && moment.start <= LATEST_MOMENT)
      return new Date(moment.start);
    return refuse(context, 'must be an ISO 8601 date-time, such as 2026-03-02T09:00:00Z');
  };
  return field({ read, api: { type: String, format: 'date-time' }, graphql: 'DateTime' }, options);
}

/** A JSON value of any type, which a later parser validates. */
export function AnyJson(options: FieldOptions = {}): PropertyDecorator {
  const api = { oneOf: ['string', 'number', 'boolean', 'array'].map(anyOfType) };
  return field({ api, graphql: 'JSON' }, options);
}

function anyOfType(type: string): { type: string; items?: object } {
  return type === 'array' ? { type, items: {} } : { type };
}

/** An integer, or a number with at most this number of decimals. */
export function Decimal(
  options: FieldOptions & { readonly above: number; readonly max: number; readonly decimals: number },
): PropertyDecorator {
  const { above, max, decimals } = options;
  const check: Check = (value) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
    if (value <= above || value > max) return `must be greater than ${above} and at most ${max}`;
    return Number(value.toFixed(decimals)) === value ? undefined : `must have at most ${decimals} decimals`;
  };
  const api = { type: Number, minimum: above, exclusiveMinimum: true, maximum: max } as const;
  return field({ check, api, graphql: 'Float', isNumber: true }, options);
}

/** Any value. The code that uses it validates it, with its own error. */
export function Unvalidated(
  options: FieldOptions & { readonly choices?: readonly string[] } = {},
): PropertyDecorator {
  const { choices } = options;
  const api = { type: String, ...(choices ? { enum: [...choices] } : {}) };
  return field({ api, graphql: String }, options);
}
