/** Tagged unions of input: one class per kind, which a tag field selects. GraphQL gets one type with all fields. */
import type { FieldError } from '../../kernel/domain-error.js';
import { isJsonObject } from '../../kernel/json.js';
import { field, type FieldOptions } from './input-class.js';
import { inDocuments } from './input-documents.js';
import {
  VariantsType,
  type Check,
  type InputClass,
  type InputContext,
  type Variants,
} from './input-table.js';
import { readNested, refuse, nestedContext } from './read-input.js';

/** A list of tagged inputs. Errors of an item are reported at `list[index]`. */
export function VariantList(
  variants: Variants & { readonly graphqlName: string; readonly most: number },
  options: FieldOptions = {},
): PropertyDecorator {
  const { classes, graphqlName, most } = variants;
  const kinds = Object.values(classes);
  const add = field(
    {
      check: listCheck({ most }),
      read: (value, context) => readVariants(variants, value as readonly unknown[], context),
      api: (addressOf) => ({
        type: 'array',
        items: { oneOf: kinds.map((kind) => ({ $ref: addressOf(kind) })) },
      }),
      graphql: [new VariantsType(graphqlName, variants)],
    },
    options,
  );
  return (prototype, key) => {
    inDocuments((documents) => documents.schemas(prototype.constructor, kinds));
    add(prototype, key);
  };
}

/** Parses a list; the tag of each item selects its kind. */
export function readVariants(variants: Variants, list: readonly unknown[], context: InputContext): unknown[] {
  return list.map((item, index) => readVariant(variants, item, nestedContext(context, String(index), true)));
}

/** Parses an input; its tag selects its kind. */
export function readVariant({ classes, tag }: Variants, item: unknown, context: InputContext): unknown {
  if (!isJsonObject(item)) return refuse(context, 'must be an object');
  const kind = item[tag];
  const known = typeof kind === 'string' && Object.hasOwn(classes, kind) ? classes[kind] : undefined;
  if (known) return readNested(known, item, context);
  const named = `must be one of ${Object.keys(classes).join(', ')}`;
  return refuse(nestedContext(context, tag), kind === undefined ? 'is required' : named);
}

/**
 * A tagged input that is JSON in GraphQL, with the names of REST. @param errorsOf returns the errors of the whole
 * value.
 */
export function JsonVariant<Kind>(
  variants: Variants,
  errorsOf: (read: Kind, path: string) => readonly FieldError[],
  options: FieldOptions = {},
): PropertyDecorator {
  const kinds = Object.values(variants.classes);
  const add = field(
    {
      read: (value, context) => {
        const nested = { ...context, source: 'body' as const };
        const before = nested.flaws.length;
        const read = readVariant(variants, value, nested);
        if (nested.flaws.length === before)
          for (const error of errorsOf(read as Kind, nested.path))
            nested.flaws.push({ ...error, kind: 'other' });
        return read;
      },
      api: (addressOf) => ({ oneOf: kinds.map((kind) => ({ $ref: addressOf(kind) })) }),
      graphql: 'JSON',
    },
    options,
  );
  return (prototype, key) => {
    inDocuments((documents) => documents.schemas(prototype.constructor, kinds));
    add(prototype, key);
  };
}

export interface ListBounds {
  readonly least?: number;
  readonly most: number;
}

/**
 * A list of inputs that is JSON in GraphQL, with the names of REST. @param errorsOf returns the errors of the whole
 * list.
 */
export function JsonListOf<Item extends object>(
  inputClass: InputClass<Item>,
  bounds: ListBounds,
  errorsOf: (read: readonly Item[], path: string) => readonly FieldError[],
  options: FieldOptions = {},
): PropertyDecorator {
  const add = field(
    {
      check: listCheck(bounds),
      read: (value, context) => {
        const nested = { ...context, source: 'body' as const };
        const before = nested.flaws.length;
        const read = (value as readonly unknown[]).map((item, index) =>
          readNested(inputClass, item, nestedContext(nested, String(index), true)),
        );
        if (nested.flaws.length === before)
          for (const error of errorsOf(read as readonly Item[], nested.path))
            nested.flaws.push({ ...error, kind: 'other' });
        return read;
      },
      api: (addressOf) => ({
        type: 'array',
        items: { $ref: addressOf(inputClass) },
        maxItems: bounds.most,
        ...(bounds.least === undefined ? {} : { minItems: bounds.least }),
      }),
      graphql: 'JSON',
    },
    options,
  );
  return (prototype, key) => {
    inDocuments((documents) => documents.schemas(prototype.constructor, [inputClass]));
    add(prototype, key);
  };
}

/** A list of inputs. Errors of an item are reported at `list[index]`. */
export function NestedList(
  inputClass: InputClass,
  bounds: ListBounds,
  options: FieldOptions = {},
): PropertyDecorator {
  return field(
    {
      check: listCheck(bounds),
      read: (value, context) =>
        (value as readonly unknown[]).map((item, index) =>
          readNested(inputClass, item, nestedContext(context, String(index), true)),
        ),
      api: {
        type: [inputClass],
        maxItems: bounds.most,
        ...(bounds.least === undefined ? {} : { minItems: bounds.least }),
      },
      graphql: [inputClass],
    },
    options,
  );
}

/**
 * A list of tagged inputs inside one of them, as JSON.
 * @param variants a function, because the kinds refer to each other.
 * @param schemas the names of the kinds in the OpenAPI document.
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
      read: (value, context) => readVariants(variants(), value as readonly unknown[], context),
      api: (addressOf) => ({
        type: 'array',
        items: { oneOf: schemas.map((name) => ({ $ref: addressOf(name) })) },
      }),
      graphql: 'JSON',
    },
    options,
  );
}

function listCheck({ least = 0, most }: ListBounds): Check {
  return (value) => {
    if (!Array.isArray(value)) return 'must be a list';
    if (value.length >= least && value.length <= most) return undefined;
    return least === 0 ? `must contain at most ${most} items` : `must contain ${least} to ${most} items`;
  };
}
