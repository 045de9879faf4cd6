/** What a statement reads, and that it contains no text from callers. */
import { tenantSql } from '../../../../platform/database/reader-database.js';
import type { MetricQuery } from '../../domain/metric-query.js';
import { answerSql, fileSql, sampleSql } from './metric-sql.js';

const scope = { workspaceId: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea', environment: 'live' } as const;
const ODD = { from: new Date('2026-01-01T10:20:00Z'), to: new Date('2026-03-31T11:40:00Z') };
const question: MetricQuery = {
  source: 'email_logs',
  metrics: ['sent', 'open_rate'],
  dimensions: ['date'],
  filters: [],
  range: ODD,
};

function levelsIn(sql: string): string[] {
  return [...sql.matchAll(/r\.level = (\d)/g)].map(([, level = '']) => level);
}

test.each([
  ['by day', {}, ['0', '1', '1']],
  ['by flow', { dimensions: ['flow'] }, ['0', '1', '1']],
  ['by hour, hours alone', { dimensions: ['hour'] }, ['1']],
  ['filtered by hour, hours alone', { filters: [{ field: 'hour', operator: 'equals', value: 9 }] }, ['1']],
  ['by domain, the sums that know them', { dimensions: ['recipient_domain'] }, ['2', '3', '3']],
  [
    'filtered by domain, the sums that know them',
    { filters: [{ field: 'recipient_domain', operator: 'equals', value: 'a.test' }] },
    ['2', '3', '3'],
  ],
] as const)('%s', (_, part, levels) => {
  const { sql } = answerSql({ ...question, ...part }, 1_000);
  expect(levelsIn(sql)).toEqual(levels);
  // The deltas of whole hours are one span; the rows outside are two.
  expect(sql.match(/\{email_changes\}/g)?.length).toBe(1);
  expect(sql.match(/\{email_logs\}/g)?.length).toBe(2);
});

test('whole days are read from sums of days alone', () => {
  const range = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2026-01-31T23:59:59.999Z') };
  const { sql } = answerSql({ ...question, range }, 1_000);
  expect(levelsIn(sql)).toEqual(['0']);
  expect(sql).not.toContain('{email_logs}');
});

const EVIL = `x'; DROP TABLE contacts; --`;

test.each([
  ['equals', EVIL],
  ['contains', `%${EVIL}`],
  ['in', [EVIL, '$1']],
] as const)('what a caller wrote is a parameter: %s', (operator, value) => {
  const filtered: MetricQuery = {
    ...question,
    dimensions: ['recipient_domain'],
    filters: [{ field: 'recipient_domain', operator, value }],
  };
  const statements = [
    answerSql(filtered, 1_000, { recipient_domain: EVIL }),
    fileSql(filtered),
    sampleSql(filtered, 'sent', { recipient_domain: EVIL }, 20),
  ];
  for (const { sql, values } of statements) {
    expect(sql).not.toContain('DROP');
    expect(JSON.stringify(values)).toContain('DROP');
    expect(() => tenantSql(scope, sql)).not.toThrow();
  }
});

test('every value is named, and every name has a value', () => {
  const { sql, values } = answerSql(
    {
      source: 'contacts',
      metrics: ['total'],
      dimensions: [],
      filters: [{ field: 'date', operator: 'equals', value: '2026-01-01' }],
      range: ODD,
    },
    1_000,
  );
  const places = [...new Set([...sql.matchAll(/\$(\d+)/g)].map(([, place]) => Number(place)))];
  expect(places.sort((one, other) => one - other)).toEqual(values.map((_, index) => index + 1));
});

test('a question about what is not there is a mistake of ours', () => {
  expect(() => answerSql({ ...question, metrics: ['entered'] }, 1_000)).toThrow(TypeError);
  expect(() => answerSql({ ...question, dimensions: ['tag'] }, 1_000)).toThrow(TypeError);
});
