/**
 * Decorators of the classes that say what callers may send. Each says a field once, for all who ask: its check, its
 * property of the OpenAPI document (in snake_case), and its field of the GraphQL schema.
 */
import { Field, InputType, Int, type ReturnTypeFunc } from '@nestjs/graphql';
import { ApiProperty, ApiSchema, type ApiPropertyOptions } from '@nestjs/swagger';
import { isEmailAddress } from '../../kernel/email-address.js';
import { isJsonObject, type JsonObject } from '../../kernel/json.js';
import { snakeCase } from '../../kernel/letter-case.js';
import { JsonScalar } from '../graphql/json.scalar.js';
import { choiceCheck, flagCheck, orNull, textCheck, textsCheck, wholeCheck } from './checks.js';
import { tableOf, type Check, type InputRules } from './input-table.js';

export interface FieldOptions<Value = unknown> {
  /** May be left out. */
  readonly optional?: true;
  /** May be null, which says something else than leaving it out. */
  readonly nullable?: true;
  readonly description?: string;
  readonly example?: unknown;
  /** What it means to leave the field out, for the reader of the OpenAPI document. */
  readonly default?: unknown;
  readonly only?: 'rest' | 'graphql';
  /** Asked of a value that the check of the field's kind lets pass. */
  readonly check?: (value: Value) => string | undefined;
}

interface FieldKind {
  readonly check: Check;
  readonly api: ApiPropertyOptions;
  readonly graphql: ReturnTypeFunc;
  readonly isEmail?: true;
  readonly isNumber?: true;
}

function field<Value>(kind: FieldKind, options: FieldOptions<Value>): PropertyDecorator {
  return (prototype, key) => {
    const member = String(key);
    const { optional = false, nullable = false, description, example, only } = options;
    const check: Check = (value) => kind.check(value) ?? options.check?.(value as Value);
    tableOf(prototype).fields.push({
      member,
      check: nullable ? orNull(check) : check,
      isRequired: !optional,
      isEmail: kind.isEmail ?? false,
      isNumber: kind.isNumber ?? false,
      only,
    });
    const told = { ...(description === undefined ? {} : { description }) };
    if (only !== 'graphql')
      ApiProperty({
        ...kind.api,
        ...told,
        ...('default' in options ? { default: options.default } : {}),
        ...(example === undefined ? {} : { example }),
        ...(nullable ? { nullable } : {}),
        name: snakeCase(member),
        required: !optional,
      } as ApiPropertyOptions)(prototype, key);
    if (only !== 'rest') Field(kind.graphql, { ...told, nullable: optional || nullable })(prototype, key);
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

/** A JSON object, kept as it is written. */
export function Json(options: FieldOptions<JsonObject> = {}): PropertyDecorator {
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
