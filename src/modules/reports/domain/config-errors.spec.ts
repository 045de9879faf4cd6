/** Errors in a config are reported at the path where they occur. */
import { configErrors, runErrors } from './config-errors.js';
import { MAX_VALUE_LENGTH, MAX_FILTER_VALUES } from './report-limits.js';
import { DEFAULT_CONFIG } from './report.js';

const config = (part: object): Parameters<typeof configErrors>[0] => ({ ...DEFAULT_CONFIG, ...part });
const fields = (part: object): string[] => configErrors(config(part)).map(({ field }) => field);
const ID = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea';

test('a config without metrics can be saved, and not be run', () => {
  expect(configErrors(config({}))).toEqual([]);
  expect(runErrors(config({})).map(({ field }) => field)).toEqual(['config.metrics']);
  expect(runErrors(config({ metrics: ['sent'] }))).toEqual([]);
});

test.each([
  [{ dataSource: 'toString' }, ['config.data_source']],
  [{ metrics: ['sent', 'nothing', 'sent'] }, ['config.metrics[1]', 'config.metrics[2]']],
  [{ dimensions: ['date', 'date'] }, ['config.dimensions[1]']],
  [{ dataSource: 'flows', dimensions: ['date'] }, ['config.dimensions[0]']],
  [{ chartType: 'donut' }, ['config.chart_type']],
  [{ dateRangeDefault: '2d' }, ['config.date_range_default']],
])('%j', (part, wrong) => expect(fields(part)).toEqual(wrong));

test('a metric of another source says whose it is', () =>
  expect(configErrors(config({ metrics: ['entered'] }))[0]?.message).toMatch(
    /^belongs to flow_trips, not to email_logs: /,
  ));

test('twenty filters are taken, one more is refused, and of more than twenty the first are checked', () => {
  const filters = (many: number, field: string): object => ({
    filters: Array.from({ length: many }, () => ({ field, operator: 'equals', value: 'sent' })),
  });
  expect(fields(filters(20, 'status'))).toEqual([]);
  expect(fields(filters(21, 'status'))).toEqual(['config.filters']);
  expect(fields(filters(22, 'nothing'))).toEqual([
    'config.filters',
    ...Array.from({ length: 20 }, (_, index) => `config.filters[${index}].field`),
  ]);
});

describe('the value of a filter', () => {
  const flawed = (field: string, operator: string, value: unknown): string | undefined =>
    fields({ filters: [{ field, operator, value }] })[0];

  test.each([
    ['status', 'equals', 'sent'],
    ['status', 'in', ['sent', 'failed']],
    ['flow', 'not_in', [ID]],
    ['recipient_domain', 'contains', '%'],
    ['hour', 'equals', 23],
    ['date', 'equals', '2026-02-28'],
    ['month', 'in', ['2026-02']],
  ])('%s %s %j', (field, operator, value) => expect(flawed(field, operator, value)).toBeUndefined());

  test.each([
    ['status', 'equals', 'queued'],
    ['status', 'equals', ['sent']],
    ['status', 'in', 'sent'],
    ['status', 'in', []],
    ['status', 'in', ['sent', 'queued']],
    ['flow', 'equals', 'Welcome'],
    ['template', 'in', [ID, 'x']],
    ['recipient_domain', 'contains', ''],
    ['recipient_domain', 'contains', 1],
    ['recipient_domain', 'equals', 'x'.repeat(MAX_VALUE_LENGTH + 1)],
    ['recipient_domain', 'equals', 'a\0'],
    ['recipient_domain', 'equals', null],
    ['recipient_domain', 'in', Array.from({ length: MAX_FILTER_VALUES + 1 }, () => 'a')],
    ['hour', 'equals', '9'],
    ['hour', 'equals', 24],
    ['date', 'equals', '2026-02-30'],
    ['date', 'equals', '2026-02-03T10:00:00Z'],
    ['month', 'equals', '2026-13'],
  ])('%s %s %j is none', (field, operator, value) =>
    expect(flawed(field, operator, value)).toBe('config.filters[0].value'),
  );

  test('is not looked at where the operator or the field is none', () => {
    expect(flawed('status', 'like', 1)).toBe('config.filters[0].operator');
    expect(flawed('flow', 'contains', 'x')).toBe('config.filters[0].operator');
    expect(flawed('nothing', 'equals', 1)).toBe('config.filters[0].field');
  });
});
