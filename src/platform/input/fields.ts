/**
 * Decorators of the classes that say what callers may send. Each says a field once, for all who ask: its check, its
 * property of the OpenAPI document (in snake_case), and its field of the GraphQL schema.
 */
import { Field, InputType, Int, type ReturnTypeFunc } from '@nestjs/graphql';
import { ApiProperty, ApiSchema, type ApiPropertyOptions } from '@nestjs/swagger';
import type { FieldError } from '../../kernel/domain-error.js';
import { isEmailAddress } from '../../kernel/email-address.js';
import { isJsonObject, type JsonObject } from '../../kernel/json.js';
import { snakeCase } from '../../kernel/letter-case.js';
import { JsonScalar } from '../graphql/json.scalar.js';
import { choiceCheck, flagCheck, textCheck, textsCheck, wholeCheck } from './checks.js';
import { tableOf, type Check, type InputClass, type InputField, type InputRules } from './input-table.js';
import { readNested, refuse } from './read-input.js';

export interface FieldOptions<Value = unknown> {
  /** May be left out. */
  readonly optional?: true;
  /** May be null, which says something else than leaving it out; or as much, where it is `absent`. */
  readonly nullable?: true | 'absent';
  readonly description?: string;
  readonly example?: unknown;
  /** What it means to leave the field out, for the reader of the OpenAPI document. */
  readonly default?: unknown;
  readonly only?: 'rest' | 'graphql';
  /** Asked of a value that the check of the field's kind lets pass. */
  readonly check?: (value: Value) => string | undefined;
  /** Says of everything that may be wrong with the value what it must be. */
  readonly message?: string;
}

export interface FieldKind {
  /** What is wrong with a value of this kind, or how it is read otherwise. */
  readonly check?: Check;
  readonly read?: InputField['read'];
  readonly api: ApiPropertyOptions;
  readonly graphql: ReturnTypeFunc;
  readonly isEmail?: true;
  readonly isNumber?: true;
}

/** A decorator of a field of this kind. */
export function field<Value>(kind: FieldKind, options: FieldOptions<Value>): PropertyDecorator {
  return (prototype, key) => {
    const member = String(key);
    const { optional = false, nullable = false, description, example, only } = options;
    tableOf(prototype).fields.push({
      member,
      read: readerOf(kind, options),
      isRequired: !optional,
      nullIsAbsent: nullable === 'absent',
      isNumber: kind.isNumber ?? false,
      graphql: { type: kind.graphql, description },
      only,
    });
    const told = { ...(description === undefined ? {} : { description }) };
    if (only !== 'graphql')
      ApiProperty({
        ...kind.api,
        ...told,
        ...('default' in options ? { default: options.default } : {}),
        ...(example === undefined ? {} : { example }),
        ...(nullable ? { nullable: true } : {}),
        name: snakeCase(member),
        required: !optional,
      } as ApiPropertyOptions)(prototype, key);
    if (only !== 'rest')
      Field(kind.graphql, { ...told, nullable: optional || nullable !== false })(prototype, key);
  };
}

function readerOf<Value>(kind: FieldKind, options: FieldOptions<Value>): InputField['read'] {
  return (value, place) => {
    if (value === null && options.nullable) return null;
    const wrong = kind.check?.(value) ?? (kind.read ? undefined : options.check?.(value as Value));
    if (wrong !== undefined) {
      const isMalformed = kind.isEmail && typeof value === 'string';
      refuse(place, options.message ?? wrong, isMalformed ? 'email' : 'other');
      return undefined;
    }
    return kind.read ? kind.read(value, place) : value;
  };
}

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
  return field({ check: textCheck(min, max), api, graphql: () => String }, options);
}

export function Email(options: FieldOptions = {}): PropertyDecorator {
  const check: Check = (value) =>
    typeof value === 'string' && isEmailAddress(value) ? undefined : 'must be an email address';
  return field(
    { check, api: { type: String, format: 'email' }, graphql: () => String, isEmail: true },
    options,
  );
}

/** One of a list; a GraphQL enum of the same values where one is given. */
export function OneOf(
  choices: readonly string[],
  options: FieldOptions & { readonly enumType?: object } = {},
): PropertyDecorator {
  const { enumType } = options;
  return field(
    {
      check: choiceCheck(choices),
      api: { type: String, enum: [...choices] },
      graphql: () => enumType ?? String,
    },
    options,
  );
}

export function Flag(options: FieldOptions = {}): PropertyDecorator {
  return field({ check: flagCheck, api: { type: Boolean }, graphql: () => Boolean }, options);
}

/** A whole number. */
export function Whole(
  options: FieldOptions & { readonly min?: number; readonly max?: number } = {},
): PropertyDecorator {
  const { min, max } = options;
  const api = {
    type: 'integer',
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
  } as const;
  const check = wholeCheck(min ?? Number.MIN_SAFE_INTEGER, max ?? Number.MAX_SAFE_INTEGER);
  return field({ check, api, graphql: () => Int, isNumber: true }, options);
}

/**
 * A JSON object, kept as it is written.
 * @param options `errorsOf` tells what is wrong inside of it, by paths that begin with the one given.
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
        read: (value, place) => {
          for (const error of errorsOf(value, place.path)) place.flaws.push({ ...error, kind: 'other' });
          return value;
        },
        api: { type: Object },
        graphql: () => JsonScalar,
      },
      options,
    );
  const check: Check = (value) => (isJsonObject(value) ? undefined : 'must be an object');
  return field({ check, api: { type: Object }, graphql: () => JsonScalar }, options);
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
  return field({ check: textsCheck(min, max), api, graphql: () => [String] }, options);
}

/** An input inside of another. */
export function Nested(inputClass: InputClass, options: FieldOptions = {}): PropertyDecorator {
  return field(
    {
      read: (value, place) => readNested(inputClass, value, place),
      api: { type: inputClass },
      graphql: () => inputClass,
    },
    options,
  );
}

/**
 * A class of input.
 * @param names what the two documents call it; one without a name has no such input.
 */
export function Input(
  names: { readonly rest?: string; readonly graphql?: string; readonly description?: string },
  rules: Partial<InputRules> = {},
): ClassDecorator {
  return (target) => {
    const table = tableOf(target.prototype as object);
    table.rules = { ...table.rules, ...rules };
    if (names.rest !== undefined) ApiSchema({ name: names.rest })(target);
    if (names.graphql !== undefined)
      InputType(
        names.graphql,
        names.description === undefined ? {} : { description: names.description },
      )(target);
  };
}
