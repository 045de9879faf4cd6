/** Every figure by every dimension equals a recount of the facts one by one, whichever part of them is in sums by then. */
import fc from 'fast-check';
import pg from 'pg';
import { MetricQueries } from '../../src/modules/metrics/application/metric-queries.js';
import { CATALOGUE } from '../../src/modules/metrics/domain/catalogue.js';
import { operatorsOf, type Dimension } from '../../src/modules/metrics/domain/catalogue/source.js';
import {
  DATA_SOURCES,
  type DataSource,
  type MetricAnswer,
  type MetricFilter,
  type MetricQuestion,
} from '../../src/modules/metrics/domain/question.js';
import { MetricAnswerRepository } from '../../src/modules/metrics/persistence/metric-answer.repository.js';
import { Survey } from '../../src/platform/database/survey.js';
import { DAY, HOUR } from '../support/clock.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type Ground, layGround, START } from './metric-ground.js';
import { recount, timeValue } from './recount.js';
import { runs } from '../support/test-scope.js';

let database: TestDatabase;
let admin: pg.Client;
let survey: Survey;
let queries: MetricQueries;
let ground: Ground;

beforeAll(async () => {
  database = await createTestDatabase();
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
  ground = await layGround(admin);
  survey = new Survey(new pg.Pool({ connectionString: database.adminUrl, max: 2 }));
  queries = new MetricQueries(new MetricAnswerRepository(survey));
});
afterAll(async () => {
  await survey.onApplicationShutdown();
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

function byValues(question: MetricQuestion, { rows }: MetricAnswer): Map<string, object> {
  return new Map(
    rows.map(({ dimensions, metrics }) => [
      JSON.stringify(question.dimensions.map((key) => dimensions[key])),
      metrics,
    ]),
  );
}

async function expectRecounted(place: number, question: MetricQuestion): Promise<MetricAnswer> {
  const scope = ground.scopes[place]!;
  const answer = await queries.ask(scope, question);
  const { rows, totals } = recount(ground, scope, question);
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
    // Each by itself reads no more than it needs.
    for (const key of all)
      await expectRecounted(0, { source, metrics: [key], dimensions, filters: [], range });
  });
});

/** Values of a dimension that there are, and one that there is not. */
function valuesOf(source: DataSource, { key, valueKind }: Dimension): unknown[] {
  const facts = {
    email_logs: ground.emails,
    flow_trips: ground.trips,
    events: ground.events,
    contacts: ground.contacts,
    flows: ground.flows,
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
      const question = (filters: readonly MetricFilter[]): MetricQuestion => ({
        source,
        metrics: CATALOGUE[source].metrics.flatMap(({ key, computation }) =>
          computation.kind === 'count' ? [key] : [],
        ),
        dimensions: [],
        filters,
        range: RANGES['odd ends'],
      });
      const scope = ground.scopes[0]!;
      const countedWith = (filters: readonly MetricFilter[]): number =>
        Object.values(recount(ground, scope, question(filters)).totals).reduce<number>(
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

const questionArb = (source: DataSource): fc.Arbitrary<MetricQuestion> => {
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
      // The hours of many days are more than an answer holds.
      fc.pre(recount(ground, ground.scopes[place]!, question).rows.size <= 1_000);
      await expectRecounted(place, question);
    }),
    { numRuns: runs(120) },
  );
});

describe('order', () => {
  const range = RANGES.everything;

  test('is that of time', async () => {
    const { rows } = await queries.ask(ground.scopes[0]!, {
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
    const question: MetricQuestion = {
      source: 'email_logs',
      metrics: [metric, 'clicked'],
      dimensions: ['template', 'flow'],
      filters: [],
      range,
    };
    const { rows } = await queries.ask(ground.scopes[0]!, question);
    const values = rows.map(({ metrics }) => metrics[metric] ?? 0);
    expect(values.length).toBeGreaterThan(3);
    expect(values).toEqual([...values].sort((one, other) => other - one));
    expect((await queries.ask(ground.scopes[0]!, question)).rows).toEqual(rows);
  });
});

test('a file has the same numbers', async () => {
  const question: MetricQuestion = {
    source: 'email_logs',
    metrics: CATALOGUE.email_logs.metrics.map(({ key }) => key),
    dimensions: ['date', 'template'],
    filters: [],
    range: RANGES['odd ends'],
  };
  const { rows } = await queries.ask(ground.scopes[0]!, question);
  const chunks: Buffer[] = [];
  for await (const chunk of await queries.file(ground.scopes[0]!, question)) chunks.push(chunk as Buffer);
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
