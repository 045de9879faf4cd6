/**
 * What the classes of input say about their fields: one table a class, filled by the decorators of `input-class.ts` and read
 * by `read-input.ts`. A member is camelCase; REST writes it in snake_case, GraphQL as it is.
 */
import type { DomainError, FieldError } from '../../kernel/domain-error.js';
import { snakeCase } from '../../kernel/letter-case.js';

/** Who wrote the input: the body of a REST call, the query of its address, the arguments of a GraphQL field. */
export type Face = 'body' | 'query' | 'graphql';

/** What is wrong with a value that is there; undefined when nothing is. */
export type Check = (value: unknown) => string | undefined;

/** A flaw of input; a missing field and a malformed email have codes of their own, section 7.2. */
export type Flaw = FieldError & {
  readonly kind: 'missing' | 'email' | 'other';
  /** Of a reader that throws: what is answered where nothing else is wrong; its code leads in any case, if it has one of its own. */
  readonly refusal?: DomainError;
};

/** Where a value stands, and where its flaws are collected. */
export interface Place {
  readonly face: Face;
  /** As the caller wrote it, such as `steps[0].template_slug`; empty for the input as a whole. */
  readonly path: string;
  readonly flaws: Flaw[];
}

export interface InputField {
  readonly member: string;
  /** The value as the object of the class has it; what is wrong with it is told to the place. */
  readonly read: (value: unknown, place: Place) => unknown;
  readonly isRequired: boolean;
  /** A null is accepted, and dropped. */
  readonly nullIsAbsent: boolean;
  /** The value of a field that is left out; undefined: none. */
  readonly fallback: unknown;
  readonly graphql: { readonly type: GraphqlTypes; readonly description: string | undefined };
  /** In the query of an address a number comes as text. */
  readonly isNumber: boolean;
  /** Likewise, as `true` or `false`. */
  readonly isFlag: boolean;
  /** The face that has this field, where it is not every one. */
  readonly only: 'rest' | 'graphql' | undefined;
}

export interface JointFlaw {
  readonly member: string;
  readonly message: string;
}

export interface InputRules {
  /** A null of GraphQL is as good as none. */
  readonly nullIsAbsent: boolean;
  /** They are arguments of GraphQL, which name themselves and stand in no object. */
  readonly areArguments: boolean;
  /** A request without a body says as much as one with an empty object. */
  readonly mayBeAbsent: boolean;
  /** The refusal of a field that no such input has. */
  readonly unknownField: (name: string) => string;
  /** What is wrong with fields that each are right: told of the member whose field is to be named. */
  readonly together: (input: object, face: Face) => readonly JointFlaw[];
}

interface InputTable {
  /** By member. */
  readonly fields: Map<string, InputField>;
  rules: InputRules;
}

/** What the two documents call a class of input; one without a name has no such input. */
export interface InputNames {
  readonly rest?: string;
  readonly graphql?: string;
  readonly description?: string;
}

export interface Variants {
  /** The kinds by the value of the field that tells them apart. */
  readonly classes: Readonly<Record<string, InputClass>>;
  /** That field; it is written alike in REST and GraphQL. */
  readonly tag: string;
}

/** A type of GraphQL: a scalar by its name, an enum, a class of input, or the type with the fields of all variants. */
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

/** One, or a list of it. */
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

/** The table of a class, begun with what its base class says. */
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

/** Whether a class says what its input is. */
export function isInputClass(candidate: unknown): candidate is InputClass {
  return typeof candidate === 'function' && TABLES.has(candidate.prototype as object);
}

/** A member's name as the face writes it: `bodyHtml` is `body_html` in REST. Dots and brackets of a path stay. */
export function spelled(face: Face, member: string): string {
  return face === 'graphql' ? member : snakeCase(member);
}
