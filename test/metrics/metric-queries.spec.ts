/**
 * Every metric by every dimension equals a recount of the individual facts, regardless of which part is already in
 * rollups.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import pg from 'pg';
import type { TenantScope } from '../../src/kernel/tenant-scope.js';
import { MetricQueries } from '../../src/modules/metrics/application/metric-queries.js';
import { CostlyQueryCache } from '../../src/modules/metrics/application/costly-query-cache.js';
import { CATALOGUE } from '../../src/modules/metrics/domain/catalogue.js';
import { operatorsOf, type Dimension } from '../../src/modules/metrics/domain/catalogue/source.js';
import {
  DATA_SOURCES,
  type DataSource,
  type MetricResult,
  type MetricFilter,
  type MetricQuery,
} from '../../src/modules/metrics/domain/metric-query.js';
import { MetricQueryRepository } from '../../src/modules/metrics/persistence/metric-query.repository.js';
import { ReaderDatabase } from '../../src/platform/database/reader-database.js';
import { DAY, HOUR, ManualClock, MINUTE } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type Fixture, useFixture, START } from './metric-fixture.js';
import { recount, timeValue } from './recount.js';
import { runs } from '../support/test-scope.js';

let database: TestDatabase;
let admin: pg.Client;
let readerDatabase: ReaderDatabase;
let queries: MetricQueries;
let clock: ManualClock;
let fixture: Fixture;

beforeAll(async () => {
  database = await createTestDatabase();
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  fixture = await useFixture(admin);
  readerDatabase = new ReaderDatabase(new pg.Pool({ connectionString: database.adminUrl, max: 2 }));
  clock = new ManualClock();
  queries = new MetricQueries(new MetricQueryRepository(readerDatabase), new CostlyQueryCache(clock));
});
afterAll(async () => {
  await readerDatabase.onApplicationShutdown();
  await admin.end();
  await database.drop();
});

const at = (from: number, to: number): { from: Date; to: Date } => ({
  from: new Date(from),
  to: new Date(to),
});
const RANGES = {
  everything: at(START - 2 * DAY, START + 20 * DAY),
  'whole days': at(START + 2 * DAY, START + 9 * DAY - 1),
  'whole hours': at(START + DAY + 5 * HOUR, START + 7 * DAY + 3 * HOUR - 1),
  'odd ends': at(START + DAY + 5 * HOUR + 1_234, START + 8 * DAY + 3 * HOUR + 98_765),
  'within an hour': at(START + 3 * DAY + 60_000, START + 3 * DAY + 40 * 60_000),
  'a millisecond': at(START + 2 * DAY, START + 2 * DAY),
};

function byValues(question: MetricQuery, { rows }: MetricResult): Map<string, object> {
  return new Map(
    rows.map(({ dimensions, metrics }) => [
      JSON.stringify(question.dimensions.map((key) => dimensions[key])),
      metrics,
    ]),
  );
}

async function expectRecounted(place: number, question: MetricQuery): Promise<MetricResult> {
  const scope = fixture.scopes[place]!;
  const answer = await queries.run(scope, question);
  const { rows, totals } = recount(fixture, scope, question);
  const found = byValues(question, answer);
  expect(found.size).toBe(answer.rows.length);
  const sorted = (map: ReadonlyMap<string, object>): [string, object][] =>
    [...map].sort(([one], [other]) => (one < other ? -1 : 1));
  if (question.dimensions.length > 0) expect(sorted(found)).toEqual(sorted(rows));
  else expect(answer.rows).toEqual([{ dimensions: {}, metrics: totals, measured: answer.measured }]);
  expect(answer.totals).toEqual(totals);
  expect(answer.truncated).toBe(false);
  return answer;
}

const CASES = DATA_SOURCES.flatMap((source) =>
  ['', ...CATALOGUE[source].dimensions.map(({ key }) => key)].map(
    (dimension) => [source, dimension] as const,
  ),
);

describe.each(Object.entries(RANGES))('%s', (_, range) => {
  test.each(CASES)('%s by %s', async (source, dimension) => {
    const { metrics } = CATALOGUE[source];
    const dimensions = dimension === '' ? [] : [dimension];
    const all = metrics.map(({ key }) => key);
    for (const place of [0, 1, 2, 3])
      await expectRecounted(place, { source, metrics: all, dimensions, filters: [], range });
    // A query for a single metric reads no more than it needs.
    for (const key of all)
      await expectRecounted(0, { source, metrics: [key], dimensions, filters: [], range });
  });
});

/** Values of a dimension: existing ones, and one that does not exist. */
function valuesOf(source: DataSource, { key, valueKind }: Dimension): unknown[] {
  const facts = {
    email_logs: fixture.emails,
    flow_trips: fixture.trips,
    events: fixture.events,
    contacts: fixture.contacts,
    flows: fixture.flows,
  }[source];
  const found = facts.flatMap((fact): unknown[] => {
    if (!(key in fact.values)) return [timeValue(key, fact.at)];
    const value = fact.values[key];
    if (Array.isArray(value)) return value;
    return valueKind === 'id' ? [(value as { id: string | null } | null)?.id] : [value];
  });
  return [...new Set(found)].filter((value) => value !== null && value !== undefined && value !== '');
}

function filterArb(source: DataSource): fc.Arbitrary<MetricFilter> {
  return fc.constantFrom(...CATALOGUE[source].dimensions).chain((dimension) =>
    fc.constantFrom(...operatorsOf(dimension)).chain((operator) => {
      const values = valuesOf(source, dimension) as string[];
      if (operator === 'contains')
        return fc
          .oneof(
            fc.constantFrom('%', '_', 'E', 'a', "'", '\\'),
            fc.constantFrom(...values).map((text) => text.slice(1, 4)),
          )
          .map((value): MetricFilter => ({ field: dimension.key, operator, value }));
      const one = fc.constantFrom(...values);
      const value =
        operator === 'in' || operator === 'not_in'
          ? fc.uniqueArray(one, { minLength: 1, maxLength: 3 })
          : one;
      return value.map((given): MetricFilter => ({ field: dimension.key, operator, value: given }));
    }),
  );
}

describe('a filter by', () => {
  const DIMENSIONS = DATA_SOURCES.flatMap((source) =>
    CATALOGUE[source].dimensions.map((dimension) => [source, dimension.key, dimension] as const),
  );

  test.each(DIMENSIONS)(
    '%s %s counts some and leaves others out, with each of its operators',
    async (source, field, dimension) => {
      const question = (filters: readonly MetricFilter[]): MetricQuery => ({
        source,
        metrics: CATALOGUE[source].metrics.flatMap(({ key, computation }) =>
          computation.kind === 'count' ? [key] : [],
        ),
        dimensions: [],
        filters,
        range: RANGES['odd ends'],
      });
      const scope = fixture.scopes[0]!;
      const countedWith = (filters: readonly MetricFilter[]): number =>
        Object.values(recount(fixture, scope, question(filters)).totals).reduce<number>(
          (sum, count) => sum + (count ?? 0),
          0,
        );
      const everything = countedWith([]);
      for (const operator of operatorsOf(dimension)) {
        const filters = (valuesOf(source, dimension) as string[]).map((value): MetricFilter => {
          if (operator === 'contains') return { field, operator, value: value.slice(0, 4) };
          return { field, operator, value: operator === 'in' || operator === 'not_in' ? [value] : value };
        });
        const telling = filters.find((filter) => {
          const counted = countedWith([filter]);
          return counted > 0 && counted < everything;
        });
        expect(telling).toBeDefined();
        await expectRecounted(0, question([telling!]));
      }
    },
  );
});

const questionArb = (source: DataSource): fc.Arbitrary<MetricQuery> => {
  const { metrics, dimensions } = CATALOGUE[source];
  return fc.record({
    source: fc.constant(source),
    metrics: fc.uniqueArray(fc.constantFrom(...metrics.map(({ key }) => key)), {
      minLength: 1,
      maxLength: 4,
    }),
    dimensions: fc.uniqueArray(fc.constantFrom(...dimensions.map(({ key }) => key)), { maxLength: 3 }),
    filters: fc.array(filterArb(source), { maxLength: 2 }),
    range: fc.constantFrom(...Object.values(RANGES)),
  });
};

test.each(DATA_SOURCES)('any question about %s', async (source) => {
  await fc.assert(
    fc.asyncProperty(questionArb(source), fc.nat(3), async (question, place) => {
      // The hours of many days exceed the limit of an answer.
      fc.pre(recount(fixture, fixture.scopes[place]!, question).rows.size <= 1_000);
      await expectRecounted(place, question);
    }),
    { numRuns: runs(120) },
  );
});

describe('order', () => {
  const range = RANGES.everything;

  test('is that of time', async () => {
    const { rows } = await queries.run(fixture.scopes[0]!, {
      source: 'email_logs',
      metrics: ['sent'],
      dimensions: ['status', 'date'],
      filters: [],
      range,
    });
    const dates = rows.map(({ dimensions }) => dimensions['date'] as string);
    expect(dates).toEqual([...dates].sort());
    expect(new Set(dates).size).toBe(23);
  });

  test.each(['sent', 'open_rate'])('else that of the first metric, the largest first: %s', async (metric) => {
    const question: MetricQuery = {
      source: 'email_logs',
      metrics: [metric, 'clicked'],
      dimensions: ['template', 'flow'],
      filters: [],
      range,
    };
    const { rows } = await queries.run(fixture.scopes[0]!, question);
    const values = rows.map(({ metrics }) => metrics[metric] ?? 0);
    expect(values.length).toBeGreaterThan(3);
    expect(values).toEqual([...values].sort((one, other) => other - one));
    expect((await queries.run(fixture.scopes[0]!, question)).rows).toEqual(rows);
  });
});

test('a file has the same numbers', async () => {
  const question: MetricQuery = {
    source: 'email_logs',
    metrics: CATALOGUE.email_logs.metrics.map(({ key }) => key),
    dimensions: ['date', 'template'],
    filters: [],
    range: RANGES['odd ends'],
  };
  const { rows } = await queries.run(fixture.scopes[0]!, question);
  const chunks: Buffer[] = [];
  for await (const chunk of await queries.file(fixture.scopes[0]!, question)) chunks.push(chunk as Buffer);
  const lines = Buffer.concat(chunks).toString().trimEnd().split('\n');
  expect(lines).toEqual(
    rows.map(({ dimensions, metrics }) =>
      [
        dimensions['date'] as string,
        (dimensions['template'] as { name: string } | null)?.name ?? '',
        ...question.metrics.map((key) => metrics[key]),
      ].join(','),
    ),
  );
});

describe('a question that costs too much', () => {
  const year = at(START, START + 365 * DAY - 1);
  const scopeOf = (): TenantScope => ({ workspaceId: randomUUID(), environment: 'live' });
  /** Contacts, each created on a different day and all with the same tags. */
  async function people(scope: TenantScope, count: number, tags: number): Promise<void> {
    await admin.query(
      `INSERT INTO contacts (workspace_id, id, environment, external_id, tags, created_at, updated_at)
       SELECT $1, gen_random_uuid(), $2, 'c' || n, (SELECT array_agg('t' || t) FROM generate_series(1, $4::int) t),
         $5::timestamptz + n * interval '1 day', now() FROM generate_series(0, $3::int - 1) n`,
      [scope.workspaceId, scope.environment, count, tags, new Date(START)],
    );
  }
  const asked = (part: Partial<MetricQuery>): MetricQuery => ({
    ...{ source: 'contacts', metrics: ['created'], dimensions: ['date', 'tag'], filters: [], range: year },
    ...part,
  });
  const REFUSED = { code: 'work_too_costly' };

  test.each([
    ['dates by tags', 1, 3_000, asked({ metrics: ['total'] })],
    [
      'the same by month and language',
      1,
      90_000,
      asked({ metrics: ['total'], dimensions: ['tag', 'month', 'locale'] }),
    ],
    ['tags of everybody', 101, 100_000, asked({})],
  ])('%s is refused, as an answer and as a file', async (_, count, tags, question) => {
    const scope = scopeOf();
    await people(scope, count, tags);
    await expect(queries.run(scope, question)).rejects.toMatchObject(REFUSED);
    await expect(queries.file(scope, question)).rejects.toMatchObject(REFUSED);
  });

  test('what is within the bounds is answered', async () => {
    const scope = scopeOf();
    await people(scope, 1, 1_200);
    const { rows, truncated } = await queries.run(scope, asked({ metrics: ['total'] }));
    expect([rows.length, truncated, rows[0]?.metrics]).toEqual([1_000, true, { total: 1 }]);
  });

  test('is refused again without being asked, by whoever asks it for five minutes, and nobody else', async () => {
    const scope = scopeOf();
    await people(scope, 1, 3_000);
    const question = asked({ metrics: ['total'] });
    await expect(queries.run(scope, question)).rejects.toMatchObject(REFUSED);
    await admin.query('DELETE FROM contacts WHERE workspace_id = $1', [scope.workspaceId]);
    clock.wind(5 * MINUTE - 1);
    // The end of a period that reaches to the present has moved.
    const later = {
      ...question,
      range: { from: question.range.from, to: new Date(+question.range.to - 1_000) },
    };
    await expect(queries.run(scope, later)).rejects.toMatchObject(REFUSED);
    await expect(queries.run({ ...scope, environment: 'test' }, question)).resolves.toMatchObject({
      totals: { total: 0 },
    });
    await expect(queries.run(scope, { ...question, dimensions: ['tag'] })).resolves.toMatchObject({
      rows: [],
    });
    clock.wind(1);
    await expect(queries.run(scope, question)).resolves.toMatchObject({ totals: { total: 0 } });
  });

  test.each([
    ['97 years by hour', ['date', 'hour'], 97 * 365],
    ['12 years by hour and week', ['hour', 'week', 'date'], 12 * 365],
    ['a hundred years by week and hour', ['week', 'hour'], 36_500],
  ])('a file of nothing is refused: %s', async (_, dimensions, days) => {
    const range = at(START, START + days * DAY - 1);
    await expect(queries.file(scopeOf(), asked({ dimensions, range }))).rejects.toMatchObject(REFUSED);
  });

  test('a hundred years by day are a file', async () => {
    const range = at(START, START + 36_500 * DAY - 1);
    let lines = 0;
    for await (const chunk of await queries.file(scopeOf(), asked({ dimensions: ['date'], range })))
      lines += String(chunk).split('\n').length - 1;
    expect(lines).toBe(36_500);
  });
});
