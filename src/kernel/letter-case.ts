/**
 * How a name is written inside (`firstName`) and at the faces that are snake_case: REST, files, SQL, and what is stored
 * as JSON. One rule both ways, so that a record names its members once and is mapped where it leaves the house.
 */

/** The name inside, as REST and SQL write it: `firstName` is `first_name`. */
export type SnakeCase<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? Letter extends Lowercase<Letter>
    ? `${Letter}${SnakeCase<Rest>}`
    : `_${Lowercase<Letter>}${SnakeCase<Rest>}`
  : '';

/** The way back: `first_name` is `firstName`. */
export type CamelCase<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** A record with its own members under their names in snake_case. */
export type SnakeKeys<Item> = {
  [Name in keyof Item as Name extends string ? SnakeCase<Name> : never]: Item[Name];
};

/** A record with its own members under their names inside. */
export type CamelKeys<Item> = {
  [Name in keyof Item as Name extends string ? CamelCase<Name> : never]: Item[Name];
};

/** How a face writes the name of a member: `snakeCase` in REST, `asInside` in GraphQL. */
export type Spelling = (member: string) => string;

export const asInside: Spelling = (member) => member;

export function snakeCase<Name extends string>(name: Name): SnakeCase<Name> {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as SnakeCase<Name>;
}

/** The way back; a name that is camelCase already stays as it is. */
export function camelCase<Name extends string>(name: Name): CamelCase<Name> {
  return name.replace(/_([a-z0-9])/g, (_, first: string) => first.toUpperCase()) as CamelCase<Name>;
}

/** The record with its own members under their names in snake_case; what they hold stays as it is. */
export function snakeKeys<Item extends object>(record: Item): SnakeKeys<Item> {
  return renamed(record, snakeCase, SNAKE) as SnakeKeys<Item>;
}

/** The way back. */
export function camelKeys<Item extends object>(record: Item): CamelKeys<Item> {
  return renamed(record, camelCase, CAMEL) as CamelKeys<Item>;
}

/** What rules have made of names; those of the house are a few hundred, and others may be anything. */
const MOST_KNOWN = 2_000;
const SNAKE = new Map<string, string>();
const CAMEL = new Map<string, string>();

/** On the way of every row of a list, so it makes nothing but the record. */
function renamed(record: object, rule: (name: string) => string, names: Map<string, string>): object {
  const given = record as Record<string, unknown>;
  const result: Record<string, unknown> = {};
  for (const name of Object.keys(given)) {
    let other = names.get(name);
    if (other === undefined) {
      other = rule(name);
      if (names.size < MOST_KNOWN) names.set(name, other);
    }
    // The one name that an assignment would not make a member of.
    if (other === '__proto__')
      return Object.fromEntries(Object.entries(record).map(([one, its]) => [rule(one), its]));
    result[other] = given[name];
  }
  return result;
}
