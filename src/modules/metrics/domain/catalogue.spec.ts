/**
 * Every metric, dimension and filter has everything that is derived from it, and rates follow the product's
 * definitions.
 */
import fc from 'fast-check';
import { FLOW_STATUSES } from '../../flows/domain/flow.js';
import { TRIP_STATUSES } from '../../trips/domain/trip-transitions.js';
import { sourceSql } from '../persistence/sql/source-sql.js';
import { answerSql } from '../persistence/sql/metric-sql.js';
import { CATALOGUE, parseCount, countsOf, measuredCount, metricOf } from './catalogue.js';
import { STATUSES_OF_FLOWS } from './catalogue/flow-source.js';
import { operatorsOf } from './catalogue/source.js';
import { STATUSES_OF_TRIPS } from './catalogue/trip-source.js';
import { computeMetrics } from './compute-metrics.js';
import { DATA_SOURCES } from './metric-query.js';
import { emailRates } from './rates.js';

const KEY = /^[a-z]+(_[a-z]+)*$/;
const TIMES = ['date', 'week', 'month', 'hour', 'day_of_week'];
const range = { from: new Date('2026-01-01T00:30:00Z'), to: new Date('2026-03-01T10:00:00Z') };

describe.each(DATA_SOURCES)('%s', (key) => {
  const source = CATALOGUE[key];

  test('names everything once, in words', () => {
    const items = [...source.metrics, ...source.dimensions];
    expect(new Set(items.map((item) => item.key)).size).toBe(items.length);
    for (const { key: name, label, description } of items) {
      expect(name).toMatch(KEY);
      expect(label).toMatch(/^[A-Z]/);
      expect(description).toMatch(/^.+\.$/);
    }
  });

  test.each(source.metrics.map((metric) => [metric.key, metric] as const))(
    '%s can be computed',
    (_, metric) => {
      const counts = countsOf(source, [metric.key]);
      for (const count of counts)
        expect(source.metrics.find((one) => one.key === parseCount(count).key)?.computation.kind).toBe(
          'count',
        );
      expect(metric.format === 'percent').toBe(metric.computation.kind === 'rate');
      const { sql } = answerSql(
        { source: key, metrics: [metric.key], dimensions: [], filters: [], range },
        10,
      );
      for (const count of counts) expect(sql).toContain(`m_${count}`);
    },
  );

  test.each(source.dimensions.map((dimension) => [dimension.key, dimension] as const))(
    '%s can be read and filtered by',
    (name, dimension) => {
      expect(operatorsOf(dimension)).toContain('equals');
      expect(dimension.type === 'time').toBe(TIMES.includes(name));
      if (dimension.type !== 'time') expect(sourceSql(key, [name]).dimensions[name]).toBeDefined();
    },
  );
});

test('a metric is made of its own count, or of those that it is computed from', () => {
  const opens = (...keys: string[]): string[] => keys.map((key) => measuredCount(key, 'opens'));
  expect(countsOf(CATALOGUE.email_logs, ['sent', 'bounce_rate'])).toEqual(['sent', 'bounced']);
  expect(countsOf(CATALOGUE.email_logs, ['opened'])).toEqual([
    ...['opened', 'sent', 'bounced', ...opens('sent', 'bounced')],
  ]);
  expect(countsOf(CATALOGUE.email_logs, ['open_rate'])).toEqual([
    ...[...opens('opened', 'sent', 'bounced'), 'sent', 'bounced'],
  ]);
  expect(countsOf(CATALOGUE.contacts, ['net_growth', 'total'])).toEqual([
    ...['created', 'unsubscribed', 'deleted'],
  ]);
  expect(countsOf(CATALOGUE.flow_trips, ['median_hours'])).toEqual([]);
  expect(() => metricOf(CATALOGUE.flows, 'sent')).toThrow(TypeError);
});

test('a part of a text can be looked for, a part of a number, a date or an id cannot', () => {
  const dimensions = DATA_SOURCES.flatMap((key) => CATALOGUE[key].dimensions);
  for (const dimension of dimensions)
    expect(operatorsOf(dimension)).toEqual([
      ...['equals', 'not_equals', 'in', 'not_in'],
      ...(dimension.valueKind === 'text' ? ['contains'] : []),
    ]);
  const kinds = dimensions.map(({ key, valueKind }) => `${key}: ${valueKind}`);
  expect(kinds.filter((kind) => !kind.endsWith('text'))).toEqual(
    expect.arrayContaining([
      ...['date: day', 'week: day', 'month: month', 'hour: integer', 'day_of_week: integer'],
      ...['flow: id', 'campaign: id', 'template: id', 'flow_version: integer'],
    ]),
  );
  const valuesOf = (name: string) => dimensions.find(({ key }) => key === name)?.values;
  expect([valuesOf('hour')?.at(0), valuesOf('hour')?.at(-1), valuesOf('hour')?.length]).toEqual([0, 23, 24]);
  expect(valuesOf('day_of_week')).toEqual([0, 1, 2, 3, 4, 5, 6]);
});

test('statuses are those that there are', () => {
  expect(STATUSES_OF_FLOWS).toEqual(FLOW_STATUSES);
  expect(STATUSES_OF_TRIPS).toEqual(TRIP_STATUSES);
});

test('rates of emails are the product’s own', () =>
  fc.assert(
    fc.property(
      fc.record({
        sent: fc.nat(10_000),
        bounced: fc.nat(500),
        opened: fc.nat(9_000),
        clicked: fc.nat(9_000),
        complained: fc.nat(100),
        unsubscribed: fc.nat(100),
      }),
      (counts) => {
        const rates = [
          'open_rate',
          'click_rate',
          'click_to_open_rate',
          'bounce_rate',
          'complaint_rate',
          'unsubscribe_rate',
        ];
        const { sent, bounced, opened, clicked } = counts;
        const known = {
          ...{ deliveriesOf: 0, opensOf: sent - bounced, opensIn: opened, clicksOf: sent - bounced },
          ...{ clicksIn: clicked, bothOf: opened, bothIn: clicked },
        };
        const measured = Object.fromEntries(
          (['opens', 'clicks', 'opens_and_clicks'] as const).flatMap((by) =>
            Object.entries({ sent, bounced, opened, clicked }).map(([key, count]) => [
              measuredCount(key, by),
              count,
            ]),
          ),
        );
        expect(
          Object.values(computeMetrics(CATALOGUE.email_logs, rates, { ...counts, ...measured })),
        ).toEqual(Object.values(emailRates({ ...counts, ...known })));
      },
    ),
  ));
