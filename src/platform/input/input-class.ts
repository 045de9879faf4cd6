/**
 * Declares what callers may send. Each decorated member of a class declares its field once for all uses: its
 * validation, its property in the OpenAPI document (in snake_case), and its field in the GraphQL schema. Kinds of
 * fields: `fields.ts`.
 */
import { inDocuments, type DocumentedField } from './input-documents.js';
import {
  tableOf,
  type Check,
  type InputClass,
  type InputField,
  type InputNames,
  type InputRules,
} from './input-table.js';
import { refuse } from './read-input.js';

export interface FieldOptions<Value = unknown> {
  /** May be omitted. */
  readonly optional?: true;
  /** May be null, with a different meaning than omitting it; with `absent`, null means the same as omitting it. */
  readonly nullable?: true | 'absent';
  readonly description?: string;
  readonly example?: unknown;
  /** The meaning of omitting the field, for the OpenAPI document. */
  readonly default?: unknown;
  /** The value of an omitted field; both documents show it. */
  readonly fallback?: unknown;
  readonly only?: 'rest' | 'graphql';
  /** Runs on a value that the check of the field's kind accepts. */
  readonly check?: (value: Value) => string | undefined;
  /** A message for every error of the value, which says what it must be. */
  readonly message?: string;
}

export interface FieldKind {
  /** Validates a value of this kind. A kind that must convert the value has `read` instead. */
  readonly check?: Check;
  readonly read?: InputField['read'];
  readonly api: DocumentedField['api'];
  readonly graphql: DocumentedField['graphql'];
  readonly isEmail?: true;
  readonly isNumber?: true;
  readonly isFlag?: true;
}

/** A decorator for a field of this kind. */
export function field<Value>(kind: FieldKind, options: FieldOptions<Value>): PropertyDecorator {
  return (prototype, key) => {
    const member = String(key);
    const { nullable = false, description, example, only, fallback } = options;
    const isRequired = !options.optional && fallback === undefined;
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
    const more = {
      ...('default' in options ? { default: options.default } : {}),
      ...(fallback === undefined ? {} : { default: fallback }),
      ...(example === undefined ? {} : { example }),
      ...(nullable ? { nullable: true } : {}),
    } as DocumentedField['more'];
    const { api, graphql } = kind;
    inDocuments((documents) =>
      documents.field(prototype, member, {
        ...{ api, graphql, description, isRequired, fallback, more, only },
        nullable: nullable !== false,
      }),
    );
  };
}

function readerOf<Value>(kind: FieldKind, options: FieldOptions<Value>): InputField['read'] {
  return (value, context) => {
    if (value === null && options.nullable) return null;
    const problem = kind.check?.(value) ?? (kind.read ? undefined : options.check?.(value as Value));
    if (problem !== undefined) {
      const isMalformed = kind.isEmail && typeof value === 'string';
      refuse(context, options.message ?? problem, isMalformed ? 'email' : 'other');
      return undefined;
    }
    return kind.read ? kind.read(value, context) : value;
  };
}

/** Declares an input class. */
export function Input(names: InputNames, rules: Partial<InputRules> = {}): ClassDecorator {
  return (target) => {
    const table = tableOf(target.prototype as object);
    table.rules = { ...table.rules, ...rules };
    inDocuments((documents) => documents.input(target as unknown as InputClass, names));
  };
}

/** The arguments of a GraphQL field, where null means absent. REST may accept the class that it extends. */
export function Arguments(): ClassDecorator {
  return (target) => {
    const table = tableOf(target.prototype as object);
    table.rules = { ...table.rules, areArguments: true, nullIsAbsent: true };
    inDocuments((documents) => documents.arguments(target as unknown as InputClass));
  };
}
