/**
 * Errors name a field as the caller wrote it: snake_case in REST, camelCase in GraphQL. Tested for every body
 * field, URL parameter and GraphQL argument in openapi.json and the schema.
 */
import { readFileSync } from 'node:fs';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import {
  getNamedType,
  getNullableType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { sharedApp, type Answer, type TestApp, type TestWorkspace } from '../support/app.js';
import { repetitions, sampleOf } from '../support/test-scope.js';

let service: TestApp;
let workspace: TestWorkspace;

beforeAll(async () => {
  service = await sharedApp();
  workspace = await service.workspace();
});
afterAll(async () => {
  await service?.close();
});

const ID = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea';
const namesIn = (errors: unknown): string[] =>
  ((errors ?? []) as readonly { field: string }[]).map(({ field }) => field);
/** One in this many fields of a body or an argument is tested; the nightly run tests all. */
const ONE_FIELD_IN = 8;
/** Whether a name is the field's name or the path of something inside it. */
const isOf = (path: string, name: string): boolean =>
  name === path || name.startsWith(`${path}.`) || name.startsWith(`${path}[`);

describe('REST', () => {
  interface Schema {
    readonly $ref?: string;
    readonly allOf?: readonly Schema[];
    readonly oneOf?: readonly Schema[];
    readonly items?: Schema;
    readonly minItems?: number;
    readonly type?: string;
    readonly example?: unknown;
    readonly enum?: readonly unknown[];
    readonly minLength?: number;
    readonly required?: readonly string[];
    readonly properties?: Readonly<Record<string, Schema>>;
  }
  interface Operation {
    readonly parameters?: readonly { readonly name: string; readonly in: string }[];
    readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  }
  const { paths, components } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
  };

  function resolved(schema: Schema): Schema {
    const inner = schema.$ref
      ? components.schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)]
      : schema.allOf?.[0];
    return inner ? { ...schema, ...resolved(inner) } : schema;
  }

  function usual(schema: Schema): unknown {
    const { type, example, properties, enum: choices, items } = resolved(schema);
    if (example !== undefined) return example;
    if (choices) return choices[0];
    if (properties) return required(schema);
    if (type === 'array') return [items ? usual(items) : 'x'];
    if (type === 'object') return {};
    return type === 'boolean' ? true : type === 'string' ? 'x' : 1;
  }

  function required(schema: Schema): Record<string, unknown> {
    const { required: names = [], properties = {} } = resolved(schema);
    return Object.fromEntries(names.map((name) => [name, usual(properties[name] ?? {})]));
  }

  interface Wrong {
    readonly path: string;
    readonly body: Record<string, unknown>;
  }

  /**
   * One body per field, in which that field has the wrong type.
   * @param within names of the enclosing schemas, so that recursive schemas are visited once.
   */
  function wrongBodies(schema: Schema, within: readonly string[] = []): Wrong[] {
    const { properties = {}, oneOf } = resolved(schema);
    if (schema.$ref !== undefined && within.includes(schema.$ref)) return [];
    const inside = schema.$ref === undefined ? within : [...within, schema.$ref];
    if (oneOf) return oneOf.flatMap((one) => wrongBodies(one, inside));
    const least = required(schema);
    return Object.entries(properties).flatMap(([name, field]): Wrong[] => {
      const { type, items, properties: inner, minItems = 1, example } = resolved(field);
      const wrong = type === 'string' || type === 'array' || type === 'object' || inner ? 7 : 'x';
      const nested = inner
        ? wrongBodies(field, inside)
        : type === 'array' && items
          ? wrongBodies(items, inside)
          : [];
      const isList = type === 'array';
      // A list with a minimum length takes its other items from the example.
      const others = minItems > 1 && Array.isArray(example) ? (example as unknown[]).slice(1) : [];
      return [
        { path: name, body: { ...least, [name]: wrong } },
        ...nested.map(({ path, body }) => ({
          path: `${name}${isList ? '[0]' : ''}.${path}`,
          body: { ...least, [name]: isList ? [body, ...others] : body },
        })),
      ];
    });
  }

  /** Their items are validated individually, and each has a separate result. */
  const BATCHES = ['/v1/events/batch', '/v1/contacts/bulk'];
  /** Validated after the flow and version in the path, which do not exist here (e2e/flow-versions). */
  const BEHIND_ITS_RECORD = '/v1/flows/{id}/versions/{version}/restore';
  /** Webhooks reveal nothing about unsigned bodies (e2e/billing, e2e/email-webhook). */
  const SIGNED = ['/v1/webhooks/billing', '/v1/webhooks/email', '/v1/webhooks/payment'];
  /** Periods have a separate validation rule, and the valid values of a filter depend on its field. */
  const UNJUDGED = ['trigger_event.occurred_at', 'from_date', 'to_date', 'config.filters[0].value'];

  const bodies = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody }]) => {
      const schema = requestBody?.content['application/json']?.schema;
      if (!schema || [...BATCHES, BEHIND_ITS_RECORD, ...SIGNED].includes(path)) return [];
      const all = wrongBodies(schema).filter((wrong) => !UNJUDGED.includes(wrong.path));
      const fields = sampleOf(all, path.length, ONE_FIELD_IN);
      return [{ route: `${method.toUpperCase()} ${path}`, method: method.toUpperCase(), path, fields }];
    }),
  );
  const addressed = (path: string): string => path.replace(/\{\w+\}/g, ID);
  /** Routes that only people may call. */
  const OF_PEOPLE = ['/v1/workspace/', '/v1/campaigns', '/v1/inspect', '/v1/migrations'];
  /** Calls with a key, or as the owner where only people may call. */
  const call: TestWorkspace['call'] = (method, path, body) =>
    OF_PEOPLE.some((beginning) => path.startsWith(beginning))
      ? service.request(method, path, body, {
          authorization: `Bearer ${workspace.ownerToken}`,
          'x-workspace-id': workspace.id,
        })
      : workspace.call(method, path, body);

  test('there are fields to ask about', () =>
    expect(bodies.flatMap(({ fields }) => fields).length).toBeGreaterThan(80));

  test.each(bodies)('a body of $route', async ({ method, path, fields }) => {
    const reportedNames: [string, readonly string[]][] = [];
    for (const field of fields) {
      const { body } = await call(method, addressed(path), field.body);
      reportedNames.push([field.path, namesIn(body.errors)]);
    }
    const missed = reportedNames.filter(([asked, names]) => !names.some((name) => isOf(asked, name)));
    expect(missed).toEqual([]);
    const foreign = reportedNames.flatMap(([, names]) => names).filter((name) => /[A-Z]/.test(name));
    expect(foreign).toEqual([]);
  });

  /** The period's rule names the parameter in its message; the unsubscribe page is for people. */
  const OTHERWISE = ['from_date', 'to_date', 'date_range', 'token'];

  const queries = Object.entries(paths).flatMap(([path, { get }]) =>
    (get?.parameters ?? [])
      .filter(({ name, in: place }) => place === 'query' && !OTHERWISE.includes(name))
      .map(({ name }) => ({ path, name })),
  );

  test.each(queries)('the address of $path: $name', async ({ path, name }) => {
    const twice = await call('GET', `${addressed(path)}?${name}=1&${name}=2`);
    expect([twice.status, namesIn(twice.body.errors)]).toEqual([422, [name]]);
  });
});

describe('GraphQL', () => {
  const USUAL: Readonly<Record<string, unknown>> = {
    ID,
    Int: 1,
    Float: 1,
    Boolean: true,
    DateTime: '2026-04-07T09:30:00Z',
    JSON: {},
  };
  /** Values that GraphQL accepts and no field does. */
  const WRONG: Readonly<Record<string, readonly unknown[]>> = {
    String: ['\0', 'x'.repeat(3_000), '', ' '],
    ID: ['x'.repeat(3_000)],
    Int: [-2_147_483_648, 2_147_483_647],
    JSON: [7],
  };

  /** Fields that identify a record, which then does not exist. */
  const NAMES_RECORD =
    /^\w+\.(id|input\.id|slug|key|version|contactId|jobId|migrationId|memberId|subjectId|flowId|goalId|goalIds|(filter\.)?instanceId)$/;
  /** Fields that accept every value that GraphQL does, or answer with an outcome, a code or an empty list. */
  const TAKES_ALL: Readonly<Record<'Query' | 'Mutation', readonly string[]>> = {
    Query: [
      // Validated against the campaign, like its winner.
      'campaignRecipients.filter.variant',
      // Validated by the period's rule, after the report, flow, campaign or template is found.
      'cohort.fromDate',
      'cohort.toDate',
      'compareFlows.fromDate',
      'compareFlows.toDate',
      'explainNumber.dateRange',
      'explainNumber.fromDate',
      'explainNumber.reportId',
      'explainNumber.row',
      'explainNumber.toDate',
      'flowGroups.fromDate',
      'flowGroups.toDate',
      'funnel.campaignId',
      'funnel.fromDate',
      'funnel.template',
      'funnel.toDate',
      'reportData.dateRange',
      'reportData.fromDate',
      'reportData.toDate',
      'reportQuery.fromDate',
      'reportQuery.toDate',
      'reports.filter.createdBy',
      'templatePreviewContext.additionalEvents',
      'templatePreviewContext.eventName',
      'templateVersionDiff.from',
      'templateVersionDiff.to',
    ],
    Mutation: [
      // As in REST, validated after flow and version.
      'restoreFlowVersion.input.changeSummary',
      'restoreTemplateVersion.input.expectedVersion',
      'sendCampaignWinner.variant',
      'sendTestEmail.input.toEmails',
      'updateTemplate.input.expectedVersion',
    ],
  };

  /** Members of JSON keep the names of REST. */
  const OF_JSON = 'credentials.extra.';

  const STEPS = ['send_email', 'wait', 'update_contact', 'condition', 'conditional_split', 'ab_split'];

  type Taken = GraphQLArgument | GraphQLInputField;

  function usual(type: GraphQLInputType): unknown {
    const nullable = getNullableType(type);
    if (isListType(nullable)) return [usual(nullable.ofType)];
    if (isEnumType(nullable)) return nullable.getValues()[0]?.name;
    if (isInputObjectType(nullable)) return required(Object.values(nullable.getFields()));
    return USUAL[nullable.name] ?? 'x';
  }

  function required(fields: readonly Taken[]): Record<string, unknown> {
    return Object.fromEntries(
      fields.filter(({ type }) => isNonNullType(type)).map(({ name, type }) => [name, usual(type)]),
    );
  }

  interface Wrong {
    readonly path: string;
    readonly value: unknown;
  }

  /** Wrong values of a field, each with its path; for a list of inputs the first item is tested. */
  function wrong({ name, type }: Taken): Wrong[] {
    const nullable = getNullableType(type);
    const isList = isListType(nullable);
    const item = isList ? getNullableType(nullable.ofType) : nullable;
    const wrap = (value: unknown): unknown => (isList ? [value] : value);
    if (!isInputObjectType(item))
      return (WRONG[getNamedType(item).name] ?? []).map((value) => ({ path: name, value: wrap(value) }));
    const fields = Object.values(item.getFields());
    // An A/B test needs two variants.
    const others = item.name === 'AbVariantInput' ? [{ ...required(fields), name: 'Other' }] : [];
    const usuals = item.name === 'FlowStepInput' ? STEPS.map((kind) => ({ type: kind })) : [required(fields)];
    return fields.flatMap((field) =>
      wrong(field).flatMap(({ path, value }) =>
        usuals.map((least) => ({
          path: `${name}${isList ? '[0]' : ''}.${path}`,
          value: isList ? [{ ...least, [field.name]: value }, ...others] : { ...least, [field.name]: value },
        })),
      ),
    );
  }

  /** Errors omit these outer names, because they contain all other fields. */
  const reportedPath = (path: string): string => path.replace(/^(?:input|settings)\./, '');

  test.each(['Query', 'Mutation'] as const)('every argument of %s', async (root) => {
    const { schema } = service.app.get(GraphQLSchemaHost, { strict: false });
    const all = Object.values((schema.getType(root) as { getFields?: () => object })?.getFields?.() ?? {});
    const asked = new Set<string>();
    const refused = new Set<string>();
    const foreign: unknown[] = [];
    for (const field of all as GraphQLField<unknown, unknown>[]) {
      const inner = isCompositeType(getNamedType(field.type)) ? '{ __typename }' : '';
      const declared = field.args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
      const given = field.args.map(({ name }) => `${name}: $${name}`).join(', ');
      const query = `${root.toLowerCase()} ${declared && `(${declared})`} { ${field.name} ${given && `(${given})`} ${inner} }`;
      for (const argument of field.args) {
        const values = wrong(argument);
        const paths = [...new Set(values.map(({ path }) => path))];
        const sample = new Set(sampleOf(paths, all.indexOf(field), ONE_FIELD_IN));
        for (const { path, value } of values.filter((one) => sample.has(one.path))) {
          asked.add(`${field.name}.${path}`);
          const { body }: Answer = await workspace.graphql(query, {
            ...required(field.args),
            [argument.name]: value,
          });
          const names = (body.errors ?? []).flatMap(({ extensions }: { extensions: { errors?: unknown } }) =>
            namesIn(extensions.errors),
          );
          if (names.some((name: string) => isOf(reportedPath(path), name)))
            refused.add(`${field.name}.${path}`);
          // The default values of a step may cause other errors, but their names must be GraphQL names, too.
          const odd = names.filter((name: string) => name.includes('_') && !name.startsWith(OF_JSON));
          if (odd.length > 0) foreign.push({ field: field.name, path, odd });
        }
      }
    }
    expect(foreign).toEqual([]);
    const taken = [...asked].filter((one) => !refused.has(one) && !NAMES_RECORD.test(one));
    const known = TAKES_ALL[root];
    expect(taken.sort()).toEqual(repetitions({ short: known.filter((one) => asked.has(one)), full: known }));
  });
});
