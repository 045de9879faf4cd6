import { DAY } from '../../../kernel/duration.js';
import { reportedKind, withReportingWindow } from './reported-events.js';

test.each([
  ['email.delivered', 'delivered', 3, 'delivered'],
  ['email.opened', 'opened', 0, 'opened'],
  ['email.clicked', 'clicked', 0, 'clicked'],
  ['email.clicked', 'clicked', 1, 'clicked'],
  ['email.opened', 'opened', 2, 'opened'],
  ['email.opened', 'opened', 1, undefined],
  ['email.clicked', 'clicked', 3, undefined],
  ['tracked.open', 'opened', 1, undefined],
  ['tracked.click', 'clicked', 0, undefined],
  ['email.bounced', 'bounced', 0, undefined],
  ['email.unheard_of', null, 0, undefined],
])('%s, of a message that bore %s %i, tells of %s', (type, kind, tracked, reported) =>
  expect(reportedKind(type, kind, tracked)).toBe(reported),
);

test('the days around a span reach thirty days before and after it', () => {
  const at = (days: number): Date => new Date(days * DAY);
  expect(withReportingWindow({ from: at(100), until: at(101) })).toEqual({ from: at(70), until: at(131) });
});
