/**
 * How a class says what callers may send: each decorated member says its field once, for all who ask: its check, its
 * property of the OpenAPI document (in snake_case), and its field of the GraphQL schema. Kinds of fields: `fields.ts`.
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
  readonly api: DocumentedField['api'];
  readonly graphql: DocumentedField['graphql'];
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

/** A class of input. */
export function Input(names: InputNames, rules: Partial<InputRules> = {}): ClassDecorator {
  return (target) => {
    const table = tableOf(target.prototype as object);
    table.rules = { ...table.rules, ...rules };
    inDocuments((documents) => documents.input(target as unknown as InputClass, names));
  };
}

/** The arguments of a field of GraphQL, of which a null is as good as none; REST may send what the class is based on. */
export function Arguments(): ClassDecorator {
  return (target) => {
    const table = tableOf(target.prototype as object);
    table.rules = { ...table.rules, areArguments: true, nullIsAbsent: true };
    inDocuments((documents) => documents.arguments(target as unknown as InputClass));
  };
}
