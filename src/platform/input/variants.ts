/** Input of several kinds, told apart by a field: one class a kind, of which GraphQL makes one type with all fields. */
import { Field, InputType } from '@nestjs/graphql';
import { ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import type { FieldError } from '../../kernel/domain-error.js';
import { isJsonObject } from '../../kernel/json.js';
import { field, type FieldOptions } from './input-class.js';
import { tableOf, type Check, type InputClass, type Place } from './input-table.js';
import { JsonScalar } from './json.scalar.js';
import { readNested, refuse, within } from './read-input.js';

export interface Variants {
  /** The kinds by the value of the field that tells them apart. */
  readonly classes: Readonly<Record<string, InputClass>>;
  /** That field; it is written alike in REST and GraphQL. */
  readonly tag: string;
}

/** A list of input of several kinds; what is wrong with an item is told at `list[index]`. */
export function VariantList(
  variants: Variants & { readonly graphqlName: string; readonly most: number },
  options: FieldOptions = {},
): PropertyDecorator {
  const { classes, graphqlName, most } = variants;
  const kinds = Object.values(classes);
  const type = variantsType(graphqlName, variants);
  const add = field(
    {
      check: listCheck({ most }),
      read: (value, place) => readVariants(variants, value as readonly unknown[], place),
      api: { type: 'array', items: { oneOf: kinds.map((kind) => ({ $ref: getSchemaPath(kind) })) } },
      graphql: () => [type],
    },
    options,
  );
  return (prototype, key) => {
    ApiExtraModels(...kinds)(prototype.constructor);
    add(prototype, key);
  };
}

/** Reads a list of which each item is of the kind that its tag says. */
export function readVariants(variants: Variants, list: readonly unknown[], place: Place): unknown[] {
  return list.map((item, index) => readVariant(variants, item, within(place, String(index), true)));
}

/** Reads input of the kind that its tag says. */
export function readVariant({ classes, tag }: Variants, item: unknown, at: Place): unknown {
  if (!isJsonObject(item)) return refuse(at, 'must be an object');
  const kind = item[tag];
  const known = typeof kind === 'string' && Object.hasOwn(classes, kind) ? classes[kind] : undefined;
  if (known) return readNested(known, item, at);
  const named = `must be ${Object.keys(classes).join(', ')}`;
  return refuse(within(at, tag), kind === undefined ? 'is required' : named);
}

/** Input of one of several kinds; GraphQL has it as JSON, in the names of REST. @param errorsOf tells what is wrong with it as a whole. */
export function JsonVariant<Kind>(
  variants: Variants,
  errorsOf: (read: Kind, path: string) => readonly FieldError[],
  options: FieldOptions = {},
): PropertyDecorator {
  const kinds = Object.values(variants.classes);
  const add = field(
    {
      read: (value, place) => {
        const at = { ...place, face: 'body' as const };
        const before = at.flaws.length;
        const read = readVariant(variants, value, at);
        if (at.flaws.length === before)
          for (const error of errorsOf(read as Kind, at.path)) at.flaws.push({ ...error, kind: 'other' });
        return read;
      },
      api: { oneOf: kinds.map((kind) => ({ $ref: getSchemaPath(kind) })) },
      graphql: () => JsonScalar,
    },
    options,
  );
  return (prototype, key) => {
    ApiExtraModels(...kinds)(prototype.constructor);
    add(prototype, key);
  };
}

export interface ListBounds {
  readonly least?: number;
  readonly most: number;
}

/** A list of inputs; GraphQL has it as JSON, in the names of REST. @param errorsOf tells what is wrong with it as a whole. */
export function JsonListOf<Item extends object>(
  inputClass: InputClass<Item>,
  bounds: ListBounds,
  errorsOf: (read: readonly Item[], path: string) => readonly FieldError[],
  options: FieldOptions = {},
): PropertyDecorator {
  const add = field(
    {
      check: listCheck(bounds),
      read: (value, place) => {
        const at = { ...place, face: 'body' as const };
        const before = at.flaws.length;
        const read = (value as readonly unknown[]).map((item, index) =>
          readNested(inputClass, item, within(at, String(index), true)),
        );
        if (at.flaws.length === before)
          for (const error of errorsOf(read as readonly Item[], at.path))
            at.flaws.push({ ...error, kind: 'other' });
        return read;
      },
      api: {
        type: 'array',
        items: { $ref: getSchemaPath(inputClass) },
        maxItems: bounds.most,
        ...(bounds.least === undefined ? {} : { minItems: bounds.least }),
      },
      graphql: () => JsonScalar,
    },
    options,
  );
  return (prototype, key) => {
    ApiExtraModels(inputClass)(prototype.constructor);
    add(prototype, key);
  };
}

/** A list of inputs; what is wrong with an item is told at `list[index]`. */
export function NestedList(
  inputClass: InputClass,
  bounds: ListBounds,
  options: FieldOptions = {},
): PropertyDecorator {
  return field(
    {
      check: listCheck(bounds),
      read: (value, place) =>
        (value as readonly unknown[]).map((item, index) =>
          readNested(inputClass, item, within(place, String(index), true)),
        ),
      api: {
        type: [inputClass],
        maxItems: bounds.most,
        ...(bounds.least === undefined ? {} : { minItems: bounds.least }),
      },
      graphql: () => [inputClass],
    },
    options,
  );
}

/**
 * A list of input of several kinds within one of them, in JSON.
 * @param variants told when they are all known, since they hold each other.
 * @param schemas what the OpenAPI document calls the kinds.
 */
export function InnerVariantList(
  variants: () => Variants,
  schemas: readonly string[],
  bounds: ListBounds,
  options: FieldOptions = {},
): PropertyDecorator {
  return field(
    {
      check: listCheck(bounds),
      read: (value, place) => readVariants(variants(), value as readonly unknown[], place),
      api: { type: 'array', items: { oneOf: schemas.map((name) => ({ $ref: getSchemaPath(name) })) } },
      graphql: () => JsonScalar,
    },
    options,
  );
}

function listCheck({ least = 0, most }: ListBounds): Check {
  return (value) => {
    if (!Array.isArray(value)) return 'must be a list';
    if (value.length >= least && value.length <= most) return undefined;
    return least === 0 ? `must be at most ${most} long` : `must be ${least} to ${most} long`;
  };
}

/** One type for all lists of the same variants. */
const TYPES = new WeakMap<Variants, InputClass>();

/** The type of GraphQL with the fields of all kinds, of which only the tag must be given. */
function variantsType(name: string, variants: Variants): InputClass {
  let type = TYPES.get(variants);
  if (!type) TYPES.set(variants, (type = newVariantsType(name, variants)));
  return type;
}

function newVariantsType(name: string, { classes, tag }: Variants): InputClass {
  class Variant {}
  const told = new Set<string>();
  for (const inputClass of Object.values(classes))
    for (const { member, graphql, only } of tableOf(inputClass.prototype as object).fields.values()) {
      if (only === 'rest' || told.has(member)) continue;
      told.add(member);
      const description =
        member === tag
          ? Object.keys(classes)
              .join(', ')
              .replace(/, (?=[^,]*$)/, ' or ')
          : graphql.description;
      Field(graphql.type, {
        nullable: member !== tag,
        ...(description === undefined ? {} : { description }),
      })(Variant.prototype, member);
    }
  InputType(name)(Variant);
  return Variant;
}
