/**
 * Who may read which fields of query results (gate S1). Each field that a resolver method provides has a separate
 * permission rule, and every kind of caller requests it beneath a query that returns it. The fields come from the
 * running schema, so a new field without a row in access-fields-table.ts fails.
 */
import 'reflect-metadata';
import { ModulesContainer } from '@nestjs/core';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { isObjectType } from 'graphql';
import type pg from 'pg';
import { ACCESS_RULE } from '../../src/modules/access/requires.decorator.js';
import { ownCostOf } from '../../src/platform/graphql/query-limits.js';
import { CELLS_OF_A_ROW, cellsOf, judge, type Cell } from '../support/access-cells.js';
import { FIELD_ROWS } from '../support/access-fields-table.js';
import { bootFurnished, canaryOf, type FurnishedHouse } from '../support/access-houses.js';
import { GRAPHQL_ROWS } from '../support/access-table.js';
import type { TestApp } from '../support/app.js';
import { figure } from '../support/figure.js';

let app: TestApp;
let admin: pg.Client;
let house: FurnishedHouse;
let neighbour: FurnishedHouse;

beforeAll(async () => {
  const furnished = await bootFurnished('house', 'neighbour');
  ({ app, admin } = furnished);
  ({ house, neighbour } = furnished.houses);
});
afterAll(async () => {
  await admin?.end();
  await app?.close();
});

/** Fields of object types that declare a cost, as every field with a resolver method does (graphql-costs.spec). */
function resolvedFields(): string[] {
  const { schema } = app.app.get(GraphQLSchemaHost, { strict: false });
  return Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter((type) => type !== schema.getQueryType() && type !== schema.getMutationType())
    .flatMap((type) =>
      Object.values(type.getFields())
        .filter((field) => ownCostOf(field) !== undefined)
        .map(({ name }) => `${type.name}.${name}`),
    );
}

/** Names of the methods that resolve fields, and of those without a permission rule. */
function resolvers(): { readonly names: string[]; readonly bare: string[] } {
  const methods = [...app.app.get(ModulesContainer).values()]
    .flatMap(({ providers }) => [...providers.values()])
    .flatMap(({ metatype }) =>
      Object.entries(Object.getOwnPropertyDescriptors((metatype?.prototype ?? {}) as object)),
    )
    .flatMap(([name, { value }]) =>
      typeof value === 'function' && Reflect.hasMetadata('graphql:resolve_property', value as object)
        ? [{ name, hasRule: Reflect.hasMetadata(ACCESS_RULE, value as object) }]
        : [],
    );
  return {
    names: methods.map(({ name }) => name),
    bare: methods.filter(({ hasRule }) => !hasRule).map(({ name }) => name),
  };
}

/** The expected cell: the query's refusal comes first, otherwise the field's, which names the field. */
function beneath(above: readonly Cell[], own: readonly Cell[], field: string): Cell[] {
  return own.map((cell, n) => {
    const query = above[n] as Cell;
    if (!query.isLetIn) return query;
    return cell.isLetIn ? cell : { ...cell, expected: `${field}: ${cell.expected}` };
  });
}

/** A number, which does not reveal its owner, and a schedule, which the reports of this test do not have. */
const NOTHING_TO_READ = ['Template.astSchemaVersion', 'ReportSchedule.recipientStates'];

test('every field with a rule of its own, as everybody', async () => {
  const { names, bare } = resolvers();
  expect(bare).toEqual([]);
  expect(FIELD_ROWS.map(([name]) => name).toSorted()).toEqual(resolvedFields().toSorted());
  expect(FIELD_ROWS.map(([name]) => name.split('.')[1]).toSorted()).toEqual(names.toSorted());

  const documents = new Map<string, string>();
  const rows = FIELD_ROWS.map(([name, members, keys, ofMember, ofKey, passes, document], place) => {
    const text = document(house.things.live);
    documents.set(name, text);
    const above = GRAPHQL_ROWS.find(([operation]) => operation === /\w+/.exec(text)?.[0]);
    if (!above) throw new Error(`${text} asks for no query.`);
    const own = cellsOf([name, members, keys, ofMember, ofKey, passes], place, house, neighbour);
    return [name, beneath(cellsOf(above, place, house, neighbour), own, name.split('.')[1] ?? '')] as const;
  });
  const seen = new Set<string>();
  const { cells, wrong } = await judge(admin, rows, async (name, headers, { isLetIn }) => {
    const { body } = await app.request('POST', '/graphql', { query: documents.get(name) }, headers);
    const text = JSON.stringify(body);
    expect(text).not.toContain(canaryOf(neighbour));
    expect(text).not.toContain(canaryOf(house, 'test'));
    // The document selects nothing else, so a refused caller must read none of the workspace's texts.
    if (!isLetIn) expect(text).not.toContain(canaryOf(house));
    if (isLetIn && text.includes(canaryOf(house))) seen.add(name);
    const [error] = body?.errors ?? [];
    if (!error) return body?.data ? 'ok' : String(body?.code);
    const place = (error.path ?? []).filter((part: unknown) => typeof part === 'string') as string[];
    return place.length > 1 ? `${place.at(-1)}: ${error.extensions.code}` : error.extensions.code;
  });
  expect(wrong).toEqual([]);
  expect(cells).toBe(FIELD_ROWS.length * CELLS_OF_A_ROW);
  // Allowed callers do read the texts that the check above searches for.
  expect([...seen, ...NOTHING_TO_READ].toSorted()).toEqual(FIELD_ROWS.map(([name]) => name));
  figure(`${cells} cells of fields`);
});
