import { CATALOGUE, measuredCount } from './catalogue.js';
import { computeMetrics, measurementsOf, type Counts } from './compute-metrics.js';
import type { DataSource } from './metric-query.js';

/** Counts of messages, and those among them that were sent, bounced and opened with open tracking. */
const counted = (counts: Counts, withOpens: Counts = {}): Counts => ({
  ...counts,
  ...Object.fromEntries(
    Object.entries(withOpens).map(([key, count]) => [measuredCount(key, 'opens'), count]),
  ),
});

test.each<[string, DataSource, string, Counts, number | null]>([
  ['a count', 'email_logs', 'sent', { sent: 7 }, 7],
  ['a count of nothing', 'email_logs', 'sent', {}, 0],
  ['a level', 'contacts', 'total', { total: 4 }, 4],
  ['a balance', 'contacts', 'net_growth', { created: 10, unsubscribed: 3, deleted: 2 }, 5],
  ['a balance below 0', 'contacts', 'net_growth', { deleted: 2 }, -2],
  ['a rate', 'email_logs', 'bounce_rate', { sent: 8, bounced: 1 }, 12.5],
  ['a rate of nothing', 'email_logs', 'bounce_rate', {}, 0],
  ['a measured count', 'email_logs', 'opened', counted({ sent: 9, opened: 3 }, { sent: 5 }), 3],
  ['a count that was not measured', 'email_logs', 'opened', { sent: 9, opened: 3 }, null],
  ['a rate that was not measured', 'email_logs', 'open_rate', { sent: 9 }, null],
  [
    'a rate of what was measured alone',
    'email_logs',
    'open_rate',
    counted({ sent: 90, bounced: 10, opened: 60 }, { sent: 45, bounced: 5, opened: 10 }),
    25,
  ],
  ['an open rate where nothing arrived', 'email_logs', 'open_rate', { sent: 2, bounced: 2 }, 0],
])('%s: %s %s of %j is %p', (_, source, metric, counts, figure) => {
  expect(computeMetrics(CATALOGUE[source], [metric], counts)).toEqual({ [metric]: figure });
});

test.each<[string, Counts, object]>([
  ['nothing was sent', {}, {}],
  ['all of it was measured', counted({ sent: 9, bounced: 1 }, { sent: 9, bounced: 1 }), {}],
  [
    'some of it was measured',
    counted({ sent: 9, bounced: 1, opened: 4 }, { sent: 6, bounced: 1, opened: 2 }),
    { opened: { measured: 5, of: 8 } },
  ],
  ['none of it was measured', { sent: 9, bounced: 1 }, { opened: { measured: 0, of: 8 } }],
  [
    'none of it was measured, and people clicked',
    { sent: 9, bounced: 1, opened: 4 },
    { opened: { measured: 0, of: 8, counted: 4 } },
  ],
])('%s: %j', (_, counts, measured) => {
  expect(measurementsOf(CATALOGUE.email_logs, ['sent', 'opened'], counts)).toEqual(measured);
});
