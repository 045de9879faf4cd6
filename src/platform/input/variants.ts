/** Input of several kinds, told apart by a field: one class a kind, of which GraphQL makes one type with all fields. */
import { Field, InputType } from '@nestjs/graphql';
import { ApiExtraModels, getSchemaPath } from '@nestjs/swagger';
import { isJsonObject } from '../../kernel/json.js';
import { field, type FieldOptions } from './input-class.js';
import { tableOf, type InputClass, type Place } from './input-table.js';
import { readNested, refuse, within } from './read-input.js';

export interface Variants {
  /** The kinds by the value of the field that tells them apart. */
  readonly classes: Readonly<Record<string, InputClass>>;
  /** That field; it is written alike in REST and GraphQL. */
  readonly tag: string;
  /** Why a kind that is known is not taken; undefined for one that is not known. */
  readonly refusalOf?: (kind: string) => string | undefined;
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
      check: (value) => {
        if (!Array.isArray(value)) return 'must be a list';
        return value.length <= most ? undefined : `must be at most ${most} long`;
      },
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

function readVariants(
  { classes, tag, refusalOf }: Variants,
  list: readonly unknown[],
  place: Place,
): unknown[] {
  return list.map((item, index) => {
    const at: Place = { ...place, path: `${place.path}[${index}]` };
    if (!isJsonObject(item)) return refuse(at, 'must be an object');
    const kind = item[tag];
    const known = typeof kind === 'string' && Object.hasOwn(classes, kind) ? classes[kind] : undefined;
    if (known) return readNested(known, item, at);
    const later = typeof kind === 'string' ? refusalOf?.(kind) : undefined;
    const named = `must be ${Object.keys(classes).join(', ')}`;
    return refuse(within(at, tag), kind === undefined ? 'is required' : (later ?? named));
  });
}

/** The type of GraphQL with the fields of all kinds, of which only the tag must be given. */
function variantsType(name: string, { classes, tag }: Variants): InputClass {
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
