/**
 * How a class says what callers may send: each decorated member says its field once, for all who ask: its check, its
 * property of the OpenAPI document (in snake_case), and its field of the GraphQL schema. Kinds of fields: `fields.ts`.
 */
import { ArgsType, Field, InputType, type ReturnTypeFunc } from '@nestjs/graphql';
import { ApiProperty, ApiSchema, type ApiPropertyOptions } from '@nestjs/swagger';
import { snakeCase } from '../../kernel/letter-case.js';
import { isInputClass, tableOf, type Check, type InputField, type InputRules } from './input-table.js';
import { refuse } from './read-input.js';

export interface FieldOptions<Value = unknown> {
  /** May be left out. */
  readonly optional?: true;
  /** May be null, which says something else than leaving it out; or as much, where it is `absent`. */
  readonly nullable?: true | 'absent';
  readonly description?: string;
  readonly example?: unknown;
  /** What it means to leave the field out, for the reader of the OpenAPI document. */
  readonly default?: unknown;
  /** The value of a field that is left out; both documents tell it. */
  readonly fallback?: unknown;
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
  readonly isFlag?: true;
}

/** A decorator of a field of this kind. */
export function field<Value>(kind: FieldKind, options: FieldOptions<Value>): PropertyDecorator {
  return (prototype, key) => {
    const member = String(key);
    const { nullable = false, description, example, only, fallback } = options;
    const isRequired = !options.optional && fallback === undefined;
    const told = { ...(description === undefined ? {} : { description }) };
    tableOf(prototype).fields.set(member, {
      member,
      read: readerOf(kind, options),
      isRequired,
      nullIsAbsent: nullable === 'absent',
      fallback,
      isNumber: kind.isNumber ?? false,
      isFlag: kind.isFlag ?? false,
      graphql: { type: kind.graphql, description },
      only,
    });
    if (only !== 'graphql')
      ApiProperty({
        ...kind.api,
        ...told,
        ...('default' in options ? { default: options.default } : {}),
        ...(fallback === undefined ? {} : { default: fallback }),
        ...(example === undefined ? {} : { example }),
        ...(nullable ? { nullable: true } : {}),
        name: snakeCase(member),
        required: isRequired,
      } as ApiPropertyOptions)(prototype, key);
    if (only !== 'rest')
      Field(kind.graphql, {
        ...told,
        ...(fallback === undefined
          ? { nullable: !isRequired || nullable !== false }
          : { defaultValue: fallback }),
      })(prototype, key);
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
    if (names.graphql === undefined) return;
    declareBases(target, 'input', InputType({ isAbstract: true }));
    table.declaredAs.add('input');
    InputType(
      names.graphql,
      names.description === undefined ? {} : { description: names.description },
    )(target);
  };
}

/** The arguments of a field of GraphQL, of which a null is as good as none; REST may send what the class is based on. */
export function Arguments(): ClassDecorator {
  return (target) => {
    const table = tableOf(target.prototype as object);
    table.rules = { ...table.rules, areArguments: true, nullIsAbsent: true };
    declareBases(target, 'arguments', ArgsType());
    table.declaredAs.add('arguments');
    ArgsType()(target);
  };
}

/** GraphQL takes the fields of a base class from what is declared of that class itself. */
function declareBases(target: object, as: 'input' | 'arguments', declare: ClassDecorator): void {
  const base: unknown = Object.getPrototypeOf(target);
  if (!isInputClass(base)) return;
  declareBases(base, as, declare);
  const { declaredAs } = tableOf(base.prototype as object);
  if (declaredAs.has(as)) return;
  declaredAs.add(as);
  declare(base);
}
