/**
 * Declares what callers receive. Each decorated member of a class declares its field once for all uses: its property in
 * REST and in the OpenAPI document (in snake_case), and its field in the GraphQL schema. GraphQL resolvers return the
 * record itself; controllers return `restOf(TheOutput, record)`. Only processes that serve the API load output classes:
 * Nest needs their GraphQL names when it reads the decorators of resolvers, so the documents are open from the start.
 */
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { snakeCase } from '../../kernel/letter-case.js';
import '../input/api-documents.js';
import { inDocuments, type DocumentedField } from '../input/input-documents.js';

export type OutputClass<Output extends object = object> = abstract new (...args: never[]) => Output;

type Scalar = 'ID' | 'String' | 'Int' | 'Float' | 'Boolean' | 'DateTime' | 'JSON';

/** The values of a field that has one of a closed set; in GraphQL an enum of the same values, if one is given. */
class Choice {
  constructor(
    readonly values: readonly (string | null)[],
    readonly enumType: object | undefined,
  ) {}
}

/** A scalar by its GraphQL name, a closed set of texts, or another output class; in brackets: a list. */
type SingleType = Scalar | Choice | OutputClass;
export type OutputType = SingleType | readonly [SingleType];

/** How a field differs in REST. */
interface RestDifferences {
  /** In camelCase, as the member. */
  readonly name?: string;
  readonly type?: OutputType;
  /** The value in place of null. */
  readonly ifNull?: string | number | boolean;
  /** Converts the value, or each item of a list. Declare its schema with `api`. */
  readonly value?: Converter;
}

/** Is not called for null and undefined. */
type Converter = (value: never, record: never) => unknown;

export interface OutputOptions {
  readonly nullable?: true;
  /** May be undefined: REST omits it then, and GraphQL returns null. */
  readonly optional?: true;
  readonly description?: string;
  readonly example?: unknown;
  /** The API that has this field, if not both. */
  readonly only?: 'rest' | 'graphql';
  readonly inRest?: RestDifferences;
  readonly inGraphql?: Pick<RestDifferences, 'value'>;
  /**
   * Further attributes of the property in the OpenAPI document. An undefined one is left out, and a `type` replaces all
   * that follows from the field's type.
   */
  readonly api?: Readonly<Record<string, unknown>>;
}

export interface OutputNames {
  readonly rest?: string;
  readonly graphql?: string;
  readonly description?: string;
}

interface RestField {
  readonly member: string;
  readonly name: string;
  readonly nested: OutputClass | undefined;
  readonly ifNull: unknown;
  readonly convert: Converter | undefined;
}

/** The fields of REST, by member. */
const REST_FIELDS = new WeakMap<object, Map<string, RestField>>();

const REST_TYPES: Readonly<Record<Scalar, ApiPropertyOptions>> = {
  ID: { type: String, format: 'uuid' },
  String: { type: String },
  Int: { type: 'integer' },
  Float: { type: Number },
  Boolean: { type: Boolean },
  DateTime: { type: String, format: 'date-time' },
  JSON: { type: 'object', additionalProperties: true },
};

/** One value of a closed set. */
export function oneOf(values: readonly (string | null)[], enumType?: object): Choice {
  return new Choice(values, enumType);
}

/** A field of an output class. */
export function Out(type: OutputType, options: OutputOptions = {}): PropertyDecorator {
  const {
    nullable = false,
    optional = false,
    description,
    example,
    only,
    inRest = {},
    inGraphql,
    api,
  } = options;
  const { ifNull = null, value: convert } = inRest;
  const [single, isList] = partsOf(type);
  const restType = inRest.type ?? type;
  const [restSingle] = partsOf(restType);
  return (prototype, key) => {
    const member = String(key);
    const restName = inRest.name ?? member;
    if (only !== 'graphql')
      restFieldsOf(prototype).set(member, {
        member,
        name: snakeCase(restName),
        nested: typeof restSingle === 'function' ? restSingle : undefined,
        ...{ ifNull, convert },
      });
    const field = {
      api: { ...(api && 'type' in api ? {} : apiType(restType)), ...api },
      graphql: isList ? [graphqlType(single)] : graphqlType(single),
      ...{ description, only, nullable, isRequired: !optional, fallback: undefined, restName },
      convert: inGraphql?.value && converterOf(inGraphql.value),
      more: {
        ...(example === undefined ? {} : { example }),
        ...(nullable && ifNull === null ? { nullable } : {}),
      },
    } as DocumentedField;
    inDocuments((documents) => documents.field(prototype, member, field));
  };
}

/** Declares an output class. A document without a name has no such record. */
export function Output(names: OutputNames = {}): ClassDecorator {
  return (target) => {
    inDocuments((documents) => documents.output(target, names));
  };
}

/** The record in REST: the fields of its output class in snake_case, times in ISO 8601, without undefined fields. */
export function restOf<Item extends object>(output: OutputClass<Item>, record: Item): object {
  const given = record as Record<string, unknown>;
  const result: Record<string, unknown> = {};
  for (const { member, name, nested, ifNull, convert } of restFieldsOf(output.prototype as object).values()) {
    const value = given[member];
    if (value === undefined) continue;
    if (value === null) result[name] = ifNull;
    else result[name] = convert ? restValue(converterOf(convert)(value, record)) : restValue(value, nested);
  }
  return result;
}

/** A list that REST omits if it is empty. */
export function nonEmpty<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length > 0 ? items : undefined;
}

function restValue(value: unknown, nested?: OutputClass): unknown {
  if (nested)
    return Array.isArray(value)
      ? value.map((item: object) => restOf(nested, item))
      : restOf(nested, value as object);
  return value instanceof Date ? value.toISOString() : value;
}

/** Applies the converter to each item of a list. */
function converterOf(convert: Converter): (value: unknown, record: unknown) => unknown {
  return (value, record) => {
    if (value === null || value === undefined) return value;
    const one = (item: unknown): unknown => convert(item as never, record as never);
    return Array.isArray(value) ? value.map(one) : one(value);
  };
}

/** Starts with the fields of the base class. */
function restFieldsOf(prototype: object): Map<string, RestField> {
  let fields = REST_FIELDS.get(prototype);
  if (!fields) {
    const base = Object.getPrototypeOf(prototype) as object | null;
    fields = new Map(base ? REST_FIELDS.get(base) : undefined);
    REST_FIELDS.set(prototype, fields);
  }
  return fields;
}

/** The single type, and whether it is a list of it. */
function partsOf(type: OutputType): readonly [SingleType, boolean] {
  return Array.isArray(type) ? [type[0] as SingleType, true] : [type as SingleType, false];
}

function apiType(type: OutputType): object {
  const [single, isList] = partsOf(type);
  if (single === 'JSON' && isList) return { type: 'array', items: REST_TYPES.JSON };
  return { ...singleApiType(single), ...(isList ? { isArray: true } : {}) };
}

function singleApiType(type: SingleType): ApiPropertyOptions {
  if (typeof type === 'string') return REST_TYPES[type];
  if (type instanceof Choice) return { type: String, enum: [...type.values] };
  return { type: type as new () => object };
}

function graphqlType(type: SingleType): unknown {
  if (type === 'String') return String;
  if (type === 'Boolean') return Boolean;
  return type instanceof Choice ? (type.enumType ?? String) : type;
}
