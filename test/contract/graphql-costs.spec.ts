/**
 * Every GraphQL field that queries the database or computes declares its cost; a new field without a cost fails
 * here.
 */
import 'reflect-metadata';
import { ModulesContainer } from '@nestjs/core';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { type GraphQLField, isObjectType } from 'graphql';
import { MAX_COST, ownCostOf } from '../../src/platform/graphql/query-limits.js';
import { sharedApp, type TestApp } from '../support/app.js';

let service: TestApp;
let fields: readonly { readonly type: string; readonly field: GraphQLField<unknown, unknown> }[];

beforeAll(async () => {
  service = await sharedApp();
  const { schema } = service.app.get(GraphQLSchemaHost, { strict: false });
  fields = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type: type.name, field })));
});
afterAll(async () => {
  await service?.close();
});

const isRoot = (type: string): boolean => type === 'Query' || type === 'Mutation';

/** The names of all fields that a resolver method computes, from the metadata of @nestjs/graphql. */
function resolved(): string[] {
  const names: string[] = [];
  for (const { providers } of service.app.get(ModulesContainer).values())
    for (const { metatype } of providers.values()) {
      const prototype = metatype?.prototype as object | undefined;
      for (const [method, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype ?? {})))
        if (typeof value === 'function' && Reflect.hasMetadata('graphql:resolve_property', value as object))
          names.push((Reflect.getMetadata('graphql:resolver_name', value as object) as string) ?? method);
    }
  return names;
}

test('every query and mutation says its cost, which leaves room for it in a request', () => {
  const silent = fields.filter(({ type, field }) => isRoot(type) && !ownCostOf(field));
  expect(silent.map(({ type, field }) => `${type}.${field.name}`)).toEqual([]);
  for (const { field } of fields) expect(ownCostOf(field) ?? 1).toBeLessThan(MAX_COST);
});

test('every field that a method resolves says its cost', () => {
  const costed = fields.filter(({ type, field }) => !isRoot(type) && ownCostOf(field) !== undefined);
  expect(costed.map(({ field }) => field.name).sort()).toEqual(resolved().sort());
  expect(costed.length).toBeGreaterThan(0);
});

test('a list of records is paged, so that its cost is known', () => {
  const paged = fields.filter(({ field }) => String(field.type).endsWith('Connection!'));
  expect(paged.length).toBeGreaterThan(0);
  for (const { type, field } of fields.filter(({ field }) => /Connection!?$/.test(String(field.type))))
    expect({ type, field: field.name, args: field.args.map(({ name }) => name) }).toEqual({
      type,
      field: field.name,
      args: expect.arrayContaining(['first', 'after']),
    });
});
