/**
 * Converts names between the internal spelling (`firstName`) and snake_case, which REST, files, SQL and stored JSON
 * use. One rule in both directions, so that a record defines its members once and is mapped at the boundary.
 */

/** Converts an internal name to its form in REST and SQL: `firstName` becomes `first_name`. */
export type SnakeCase<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? Letter extends Lowercase<Letter>
    ? `${Letter}${SnakeCase<Rest>}`
    : `_${Lowercase<Letter>}${SnakeCase<Rest>}`
  : '';

/** The reverse: `first_name` becomes `firstName`. */
export type CamelCase<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** A record with its own members renamed to snake_case. */
export type SnakeKeys<Item> = {
  [Name in keyof Item as Name extends string ? SnakeCase<Name> : never]: Item[Name];
};

/** A record with its own members renamed to camelCase. */
export type CamelKeys<Item> = {
  [Name in keyof Item as Name extends string ? CamelCase<Name> : never]: Item[Name];
};

/** How an API spells member names: `snakeCase` in REST, `internalSpelling` in GraphQL. */
export type Spelling = (member: string) => string;

export const internalSpelling: Spelling = (member) => member;

export function snakeCase<Name extends string>(name: Name): SnakeCase<Name> {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) as SnakeCase<Name>;
}

/** The reverse. A name that is already camelCase does not change. */
export function camelCase<Name extends string>(name: Name): CamelCase<Name> {
  return name.replace(/_([a-z0-9])/g, (_, first: string) => first.toUpperCase()) as CamelCase<Name>;
}

/** Renames the record's own members to snake_case. Nested values do not change. */
export function snakeKeys<Item extends object>(record: Item): SnakeKeys<Item> {
  return renamed(record, snakeCase, SNAKE) as SnakeKeys<Item>;
}

/** The reverse. */
export function camelKeys<Item extends object>(record: Item): CamelKeys<Item> {
  return renamed(record, camelCase, CAMEL) as CamelKeys<Item>;
}

/** Maximum cached names. The product has a few hundred; input may contain any others. */
const MAX_CACHED_NAMES = 2_000;
const SNAKE = new Map<string, string>();
const CAMEL = new Map<string, string>();

/** Runs for every row of a list, so it allocates nothing but the record. */
function renamed(record: object, rule: (name: string) => string, names: Map<string, string>): object {
  const given = record as Record<string, unknown>;
  const result: Record<string, unknown> = {};
  for (const name of Object.keys(given)) {
    let other = names.get(name);
    if (other === undefined) {
      other = rule(name);
      if (names.size < MAX_CACHED_NAMES) names.set(name, other);
    }
    // Assigning to this name would set the prototype instead of a member.
    if (other === '__proto__')
      return Object.fromEntries(Object.entries(record).map(([one, its]) => [rule(one), its]));
    result[other] = given[name];
  }
  return result;
}
