/** Declares input classes to the libraries that write openapi.json and schema.gql, in processes that serve the API. */
import {
  ArgsType,
  Field,
  Float,
  GraphQLISODateTime,
  ID,
  InputType,
  Int,
  ObjectType,
  registerEnumType,
  type ReturnTypeFunc,
} from '@nestjs/graphql';
import {
  ApiExtraModels,
  ApiProperty,
  type ApiPropertyOptions,
  ApiSchema,
  getSchemaPath,
} from '@nestjs/swagger';
import { snakeCase } from '../../kernel/letter-case.js';
import { openDocuments, type DocumentedField } from './input-documents.js';
import { tableOf, VariantsType, type GraphqlTypes, type InputClass, type Variants } from './input-table.js';
import { JsonScalar } from './json.scalar.js';

const SCALARS: Readonly<Record<string, unknown>> = {
  Int,
  Float,
  ID,
  DateTime: GraphQLISODateTime,
  JSON: JsonScalar,
};

function typeOf(graphql: GraphqlTypes): ReturnTypeFunc {
  const type: unknown = Array.isArray(graphql) ? graphql.map(single) : single(graphql);
  return (() => type) as ReturnTypeFunc;
}

function single(graphql: unknown): unknown {
  if (graphql instanceof VariantsType) return variantsType(graphql);
  return typeof graphql === 'string' ? SCALARS[graphql] : graphql;
}

/** The prototypes that declare fields. */
const withFields = new WeakSet<object>();

function declareField(prototype: object, member: string, field: DocumentedField): void {
  withFields.add(prototype);
  const {
    api,
    graphql,
    description,
    isRequired,
    nullable,
    fallback,
    more,
    only,
    restName = member,
    convert,
  } = field;
  const documented = description === undefined ? {} : { description };
  if (only !== 'graphql')
    ApiProperty({
      ...(typeof api === 'function' ? api(getSchemaPath) : api),
      ...documented,
      ...more,
      name: snakeCase(restName),
      required: isRequired,
    } as ApiPropertyOptions)(prototype, member);
  if (only !== 'rest')
    Field(typeOf(graphql), {
      ...documented,
      ...(fallback === undefined ? { nullable: !isRequired || nullable } : { defaultValue: fallback }),
      ...(convert ? { middleware: [async ({ source }, next) => convert(await next(), source)] } : {}),
    })(prototype, member);
}

/** Classes already declared to GraphQL. */
const declared = {
  input: new WeakSet<object>(),
  arguments: new WeakSet<object>(),
  output: new WeakSet<object>(),
};

/** Declares base classes too, because GraphQL takes their fields only from their own declaration. */
function declareBases(target: object, as: keyof typeof declared, declare: ClassDecorator): void {
  const base = Object.getPrototypeOf(target) as InputClass;
  const prototype = base.prototype as object | undefined;
  if (!prototype || !withFields.has(prototype)) return;
  declareBases(base, as, declare);
  if (declared[as].has(base)) return;
  declared[as].add(base);
  declare(base);
}

/** One type for all lists of the same variants. */
const TYPES = new WeakMap<Variants, InputClass>();

/** The GraphQL type with the fields of all variants, of which only the tag is required. */
function variantsType({ name, variants }: VariantsType): InputClass {
  let type = TYPES.get(variants);
  if (!type) TYPES.set(variants, (type = newVariantsType(name, variants)));
  return type;
}

function newVariantsType(name: string, { classes, tag }: Variants): InputClass {
  class Variant {}
  const documented = new Set<string>();
  for (const inputClass of Object.values(classes))
    for (const { member, graphql, only } of tableOf(inputClass.prototype as object).fields.values()) {
      if (only === 'rest' || documented.has(member)) continue;
      documented.add(member);
      const description =
        member === tag
          ? Object.keys(classes)
              .join(', ')
              .replace(/, (?=[^,]*$)/, ' or ')
          : graphql.description;
      Field(typeOf(graphql.type), {
        nullable: member !== tag,
        ...(description === undefined ? {} : { description }),
      })(Variant.prototype, member);
    }
  InputType(name)(Variant);
  return Variant;
}

openDocuments({
  field: declareField,
  input: (target, { rest, graphql, description }) => {
    if (rest !== undefined) ApiSchema({ name: rest })(target);
    if (graphql === undefined) return;
    declareBases(target, 'input', InputType({ isAbstract: true }));
    declared.input.add(target);
    InputType(graphql, description === undefined ? {} : { description })(target);
  },
  arguments: (target) => {
    declareBases(target, 'arguments', ArgsType());
    declared.arguments.add(target);
    ArgsType()(target);
  },
  output: (target, { rest, graphql, description }) => {
    if (rest !== undefined) ApiSchema({ name: rest })(target as InputClass);
    if (graphql === undefined) return;
    declareBases(target, 'output', ObjectType({ isAbstract: true }));
    declared.output.add(target);
    ObjectType(graphql, description === undefined ? {} : { description })(target as InputClass);
  },
  enumeration: (values, name, description) =>
    registerEnumType(values, { name, ...(description === undefined ? {} : { description }) }),
  schemas: (target, classes) => {
    ApiExtraModels(...classes)(target);
  },
});
