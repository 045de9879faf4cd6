/**
 * A filter has the same result in SQL over a whole tenant and in memory for one contact: random contacts, events
 * and filters, evaluated both ways on a real PostgreSQL.
 */
import fc from 'fast-check';
import pg from 'pg';
import { ExactNumber } from '../../src/kernel/exact-number.js';
import { jsonText, parseJson } from '../../src/kernel/json-text.js';
import { camelCase } from '../../src/kernel/letter-case.js';
import { readerPool } from '../../src/platform/database/data-source.js';
import { ReaderDatabase } from '../../src/platform/database/reader-database.js';
import type { Contact } from '../../src/modules/contacts/domain/contact.js';
import { matchesFilter, type DoneEvent } from '../../src/modules/segments/domain/matches-filter.js';
import type { FilterGroup } from '../../src/modules/segments/domain/filter.js';
import { readFilter } from '../../src/modules/segments/domain/read-filter.js';
import { filterSql, membersSql } from '../../src/modules/segments/persistence/filter-sql.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { runs } from '../support/test-scope.js';

const NOW = new Date('2026-03-02T09:00:00.000Z');
const SCOPE = { workspaceId: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea', environment: 'live' } as const;
const OTHER = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeeb';
const SEGMENT = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeec';
const GONE = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeed';
const DAY = 24 * 3_600_000;

let database: TestDatabase;
let admin: pg.Client;
let readerDatabase: ReaderDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  readerDatabase = new ReaderDatabase(readerPool(database.adminUrl));
});
afterAll(async () => {
  await readerDatabase.onApplicationShutdown();
  await admin.end();
  await database.drop();
});

// Few values, so that matches occur; unusual ones, where the two evaluations could differ.
const text = fc.constantFrom(
  'pro',
  'PRO',
  'Pro plan',
  '',
  ' ',
  'ÄÖÜ',
  'äöü',
  'ΟΔΟΣ',
  'οδος',
  'İstanbul',
  'istanbul',
  'ß',
  '42',
  'true',
  'null',
  "O'Neil",
  '%',
  '_',
  '\\',
  '{contacts}',
  '$1',
  '2026-03-01',
  '2026-03-02T09:00:00Z',
  '2026-02-30',
  '2024-02-29',
  '2026-03-01T23:59:59.999999+02:00',
  '2026-03-05T10:00',
  '2026-03-01 23:59:59,1239',
  ' 2026-03-02 09:00:00 +0000 ',
  '2026-03-02t10:00+01',
  '1772442000',
  '1772442000123',
  '253402300800000',
  '0000-01-01',
  '😀 smile',
  'vip',
  'beta',
);
const number = fc.constantFrom(
  0,
  -0,
  1,
  42,
  -1.5,
  0.1,
  0.30000000000000004,
  1e21,
  9007199254740993,
  1e-7,
  100,
  1.005,
  1772442000.123,
  ...[
    '12345678901234567890',
    '12345678901234567891',
    '12345678901234567000',
    '0.10000000000000000000001',
  ].map(ExactNumber.from),
);
const scalar = fc.oneof(text, number, fc.boolean());
const moment = fc.constantFrom(
  NOW,
  new Date(NOW.getTime() - 1),
  new Date(NOW.getTime() - DAY),
  new Date(NOW.getTime() - 7 * DAY),
  new Date(NOW.getTime() - 7 * DAY - 1),
  new Date(NOW.getTime() + DAY),
  new Date('2026-03-01T23:59:59.999Z'),
);
const json: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: scalar },
  fc.constant(null),
  fc.array(fc.oneof(text, number), { maxLength: 3 }),
  fc.constant({}),
  fc.record(
    { city: fc.oneof(text, number, fc.constant(null)), 'city.0': text, '': text, 0: text },
    { requiredKeys: [] },
  ),
);
const KEYS = ['plan', 'address', 'address.city', 'address.', '0', 'toString', '__proto__x', 'a b'];
const properties = fc.dictionary(fc.constantFrom(...KEYS), json, { maxKeys: 4 });
const nullable = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });
const tag = fc.constantFrom('vip', 'VIP', 'beta', 'new');

const contact = fc.record({
  email: nullable(text),
  phone: nullable(text),
  firstName: nullable(text),
  lastName: nullable(text),
  productType: nullable(text),
  timezone: nullable(text),
  locale: nullable(text),
  subscriptionStatus: fc.constantFrom('subscribed', 'unsubscribed', 'deleted'),
  properties,
  tags: fc.uniqueArray(tag, { maxLength: 3 }),
  createdAt: moment,
  updatedAt: moment,
});
const NAMES = ['signed_up', 'paid'];
const event = fc.record({ name: fc.constantFrom(...NAMES), attributes: properties, occurredAt: moment });

const presenceTest = fc.record({ operator: fc.constantFrom('exists', 'not_exists', 'is_set') });
const textTest = fc.oneof(
  fc.record({ operator: fc.constantFrom('equals', 'not_equals'), value: scalar }),
  fc.record({
    operator: fc.constantFrom('in', 'not_in'),
    value: fc.array(scalar, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    operator: fc.constantFrom('contains', 'not_contains', 'starts_with', 'ends_with'),
    value: text.filter((one) => one !== ''),
  }),
);
const numberTest = fc.record({
  operator: fc.constantFrom('greater_than', 'greater_than_or_equal', 'less_than', 'less_than_or_equal'),
  value: number,
});
const momentTest = fc.oneof(
  fc.record({ operator: fc.constantFrom('before', 'after'), value: moment.map((one) => one.toISOString()) }),
  fc.record({ operator: fc.constant('on'), value: moment.map((one) => one.toISOString().slice(0, 10)) }),
  fc.record({
    operator: fc.constantFrom('within_last_days', 'more_than_days_ago', 'within_next_days'),
    value: fc.constantFrom(1, 7, 30),
  }),
);
const jsonTest = fc.oneof(presenceTest, textTest, numberTest, momentTest);

const path = fc.oneof(
  fc.constantFrom(...KEYS),
  fc.constantFrom('plan.0', 'address.0', 'address.city.0', 'plan.city.0.x'),
);
const condition = (name: fc.Arbitrary<string>, asked: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  fc.tuple(name, asked).map(([field, test]) => ({ field, ...test }));
const field = fc.oneof(
  condition(
    fc.constantFrom('external_id', 'email', 'first_name', 'subscription_status', 'timezone'),
    fc.oneof(presenceTest, textTest),
  ),
  condition(fc.constantFrom('created_at', 'updated_at'), fc.oneof(presenceTest, momentTest)),
  condition(
    path.map((one) => `properties.${one}`),
    jsonTest,
  ),
);
const tags = fc.record({
  field: fc.constant('tags'),
  operator: fc.constantFrom('contains', 'has_all', 'has_none', 'not_contains', 'has_any'),
  value: fc.oneof(tag, fc.array(tag, { minLength: 1, maxLength: 3 })),
});
const behaviour = fc
  .record(
    {
      event: fc.constantFrom(...NAMES),
      operator: fc.constantFrom('has_done', 'has_not_done'),
      at_least: fc.constantFrom(0, 1, 2),
      within_days: fc.constantFrom(1, 7),
      where: fc.array(condition(path, jsonTest), { maxLength: 2 }),
    },
    { requiredKeys: ['event'] },
  )
  .chain((one) =>
    one.operator === 'has_not_done' || !('at_least' in one)
      ? fc.constant({ ...one, ...(one.at_least === 0 ? { at_least: 1 } : {}) })
      : fc
          .option(fc.constantFrom(2, 3), { nil: undefined })
          .map((most) => ({ ...one, ...(most ? { at_most: most } : {}) })),
  );
const membership = fc.record({
  segment_id: fc.constantFrom(SEGMENT, GONE),
  operator: fc.constantFrom('in', 'not_in'),
});
const { filter } = fc.letrec<{ filter: object; part: object }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 2 },
    { weight: 6, arbitrary: field },
    tags,
    behaviour,
    membership,
    tie('filter'),
  ),
  filter: fc.record({
    match: fc.constantFrom('all', 'any'),
    conditions: fc.array(tie('part'), { minLength: 0, maxLength: 4 }),
  }),
}));

const OTHER_SEGMENT = readFilter({
  match: 'any',
  conditions: [
    { field: 'properties.plan', operator: 'equals', value: 'pro' },
    { event: 'paid', operator: 'has_done' },
  ],
});
const filterOf = (id: string): FilterGroup | undefined => (id === SEGMENT ? OTHER_SEGMENT : undefined);

interface Person {
  readonly contact: Contact;
  readonly events: readonly (DoneEvent & { readonly name: string })[];
}

const ids = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `0190a5d2-7c3e-7b61-9a3e-${n.toString(16).padStart(12, '0')}`);

/** Stores everyone once in this workspace, and once in another, which must not be visible. */
async function store(people: readonly Person[]): Promise<void> {
  await admin.query('TRUNCATE contacts, events');
  const columns = [
    'id',
    'external_id',
    'email',
    'phone',
    'first_name',
    'last_name',
    'product_type',
    'timezone',
    'locale',
    'subscription_status',
    'properties',
    'tags',
    'created_at',
    'updated_at',
  ] as const;
  let serial = 0;
  for (const [workspaceId, environment] of [
    [SCOPE.workspaceId, 'live'],
    [OTHER, 'live'],
  ])
    for (const { contact: one, events } of people) {
      await admin.query(
        `INSERT INTO contacts (workspace_id, environment, ${columns.join(', ')})
         VALUES ($1, $2, ${columns.map((_, n) => `$${n + 3}`).join(', ')})`,
        [
          workspaceId,
          environment,
          ...columns.map((name) => (name === 'properties' ? jsonText(one.properties) : one[camelCase(name)])),
        ],
      );
      for (const { name, attributes, occurredAt } of events)
        await admin.query(
          `INSERT INTO events (workspace_id, environment, id, external_id, event_name, attributes, occurred_at, received_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $7)`,
          [
            workspaceId,
            environment,
            ids(++serial).at(-1),
            one.externalId,
            name,
            jsonText(attributes),
            occurredAt,
          ],
        );
    }
}

const people = fc
  .array(fc.tuple(contact, fc.array(event, { maxLength: 4 })), { minLength: 12, maxLength: 12 })
  .map((drawn) =>
    drawn.map(([one, events], n): Person => ({
      // Values from the database have passed through JSON once.
      contact: {
        ...one,
        id: ids(n + 1).at(-1) ?? '',
        externalId: `u${n}`,
        properties: parseJson(jsonText(one.properties)) as Contact['properties'],
      },
      events: events.map(({ name, attributes, occurredAt }) => ({
        name,
        attributes: parseJson(jsonText(attributes)) as DoneEvent['attributes'],
        occurredAt,
      })),
    })),
  );

const FIRST = ['u0', 'u1', 'u2', 'u3'];

/** The first contacts that match, evaluated for these contacts only. */
async function amongFirst(filter: FilterGroup, drawn: readonly Person[]): Promise<string[]> {
  const surroundings = { now: NOW, filterOf, firstParameter: 2, externalIds: FIRST };
  const { values, ...compiled } = filterSql(filter, surroundings);
  const rows = await readerDatabase.query<{ id: string }>(
    SCOPE,
    `${membersSql(compiled)} AND c.external_id = ANY ($1)`,
    [FIRST, ...values],
  );
  const found = new Set(rows.map(({ id }) => id));
  return drawn
    .filter((one) => found.has(one.contact.id))
    .map((one) => one.contact.externalId)
    .sort();
}

test('SQL and memory agree on random contacts and filters', async () => {
  const seen = { inside: 0, outside: 0 };
  await fc.assert(
    fc.asyncProperty(people, fc.array(filter, { minLength: 25, maxLength: 25 }), async (drawn, filters) => {
      await store(drawn);
      for (const input of filters) {
        const read = readFilter(input as Record<string, unknown>);
        const { joins, sql, values } = filterSql(read, { now: NOW, filterOf });
        const rows = await readerDatabase.query<{ external_id: string }>(
          SCOPE,
          `SELECT c.external_id FROM {contacts} c ${joins} WHERE c.subscription_status <> 'deleted' AND ${sql} ORDER BY 1`,
          values,
        );
        const decided = drawn
          .filter(({ contact: one, events }) =>
            matchesFilter(
              read,
              {
                contact: one,
                events: new Map(NAMES.map((name) => [name, events.filter((done) => done.name === name)])),
                filterOf,
              },
              NOW,
            ),
          )
          .map((one) => one.contact.externalId)
          .sort();
        expect({ input, members: rows.map((row) => row.external_id) }).toEqual({ input, members: decided });
        expect({ input, members: await amongFirst(read, drawn) }).toEqual({
          input,
          members: decided.filter((id) => FIRST.includes(id)),
        });
        seen.inside += decided.length;
        seen.outside += drawn.length - decided.length;
      }
    }),
    { numRuns: runs(40) },
  );
  // A test with only empty or full segments would prove little.
  expect(Math.min(seen.inside, seen.outside)).toBeGreaterThan(1_000);
});
