/**
 * The field tables of input classes: one table per class, filled by the decorators of `input-class.ts` and read by
 * `read-input.ts`. Members are camelCase; REST spells them in snake_case, GraphQL as they are.
 */
import type { DomainError, FieldError } from '../../kernel/domain-error.js';
import { snakeCase } from '../../kernel/letter-case.js';

/** Where the input comes from: the body of a REST request, its query string, or the arguments of a GraphQL field. */
export type InputSource = 'body' | 'query' | 'graphql';

/** The error of a value that is present; undefined if it is valid. */
export type Check = (value: unknown) => string | undefined;

/** An input error. A missing field and a malformed email have their own codes, section 7.2. */
export type Flaw = FieldError & {
  readonly kind: 'missing' | 'email' | 'other';
  /**
   * For a parser that throws: the error to return if nothing else is invalid. If it has its own code, that code is
   * always used.
   */
  readonly refusal?: DomainError;
};

/** The position of a value, and the list that collects its errors. */
export interface InputContext {
  readonly source: InputSource;
  /** As the caller wrote it, such as `steps[0].template_slug`; empty for the whole input. */
  readonly path: string;
  readonly flaws: Flaw[];
}

export interface InputField {
  readonly member: string;
  /** Parses the value to its form in the object. Reports errors to the place. */
  readonly read: (value: unknown, context: InputContext) => unknown;
  readonly isRequired: boolean;
  /** Accepts null and drops it. */
  readonly nullIsAbsent: boolean;
  /** The value of an omitted field; undefined if it has none. */
  readonly fallback: unknown;
  readonly graphql: { readonly type: GraphqlTypes; readonly description: string | undefined };
  /** In a query string, parse the text as a number. */
  readonly isNumber: boolean;
  /** In a query string, parse `true` and `false` as a boolean. */
  readonly isFlag: boolean;
  /** The API that has this field, if not both. */
  readonly only: 'rest' | 'graphql' | undefined;
}

export interface JointFlaw {
  readonly member: string;
  readonly message: string;
}

export interface InputRules {
  /** In GraphQL, null means absent. */
  readonly nullIsAbsent: boolean;
  /** The fields are separate GraphQL arguments, not members of an object. */
  readonly areArguments: boolean;
  /** A request without a body is equivalent to an empty object. */
  readonly mayBeAbsent: boolean;
  /** The error for an unknown field. */
  readonly unknownField: (name: string) => string;
  /** Errors of fields that are each valid, but not together. Each names the member to report. */
  readonly together: (input: object, source: InputSource) => readonly JointFlaw[];
}

interface InputTable {
  /** By member name. */
  readonly fields: Map<string, InputField>;
  rules: InputRules;
}

/** The names of an input class in the two documents. A document without a name has no such input. */
export interface InputNames {
  readonly rest?: string;
  readonly graphql?: string;
  readonly description?: string;
}

export interface Variants {
  /** The kinds, by the value of the tag field. */
  readonly classes: Readonly<Record<string, InputClass>>;
  /** The field that determines the kind. It is spelled the same in REST and GraphQL. */
  readonly tag: string;
}

/** A GraphQL type: a scalar by name, an enum, an input class, or the type with the fields of all variants. */
type GraphqlType =
  | 'Int'
  | 'Float'
  | 'ID'
  | 'DateTime'
  | 'JSON'
  | typeof String
  | typeof Boolean
  | InputClass
  | VariantsType
  | object;

/** A type, or a list of it. */
export type GraphqlTypes = GraphqlType | readonly GraphqlType[];

export class VariantsType {
  constructor(
    readonly name: string,
    readonly variants: Variants,
  ) {}
}

export type InputClass<Input extends object = object> = new () => Input;

const TABLES = new WeakMap<object, InputTable>();
const DEFAULT_RULES: InputRules = {
  nullIsAbsent: false,
  areArguments: false,
  mayBeAbsent: false,
  unknownField: () => 'is not a known field',
  together: () => [],
};

/** The table of a class. Starts with the fields of its base class. */
export function tableOf(prototype: object): InputTable {
  let table = TABLES.get(prototype);
  if (!table) {
    const base = Object.getPrototypeOf(prototype) as object | null;
    const inherited = base && TABLES.get(base);
    table = {
      fields: new Map(inherited?.fields),
      rules: inherited?.rules ?? DEFAULT_RULES,
    };
    TABLES.set(prototype, table);
  }
  return table;
}

/** Whether a class is an input class. */
export function isInputClass(candidate: unknown): candidate is InputClass {
  return typeof candidate === 'function' && TABLES.has(candidate.prototype as object);
}

/** Spells a member's name for the API: `bodyHtml` is `body_html` in REST. Keeps the dots and brackets of a path. */
export function spelled(source: InputSource, member: string): string {
  return source === 'graphql' ? member : snakeCase(member);
}
