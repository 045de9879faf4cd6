import { DAY, HOUR } from '../../../kernel/duration.js';
import { decideByPause, ratesSince, pauseReasonOf, resumableAt } from './sending-pause.js';

const NOW = new Date('2026-06-08T12:00:00Z');
const before = (milliseconds: number): Date => new Date(NOW.getTime() - milliseconds);

test.each([
  [199, 199, 199, undefined],
  [200, 9, 0, undefined],
  [200, 10, 0, 'high_bounce_rate'],
  [200, 0, 0, undefined],
  [200, 0, 1, 'high_complaint_rate'],
  [200, 10, 1, 'high_bounce_rate'],
  [1_000, 49, 0, undefined],
  [1_000, 50, 0, 'high_bounce_rate'],
  [1_000, 0, 1, 'high_complaint_rate'],
  [1_001, 0, 1, undefined],
  [2_000, 99, 1, undefined],
  [2_000, 99, 2, 'high_complaint_rate'],
])('%i sent, %i bounced, %i complained: %s', (sent, bounced, complained, reason) => {
  expect(pauseReasonOf({ sent, bounced, complained })).toBe(reason);
});

test('a message waits for a week from the beginning of the pause, and is not sent after it', () => {
  expect(decideByPause(null, NOW)).toEqual({ kind: 'open' });
  expect(decideByPause(NOW, NOW)).toEqual({ kind: 'wait', until: before(-7 * DAY) });
  expect(decideByPause(before(7 * DAY - 1), NOW)).toEqual({ kind: 'wait', until: before(-1) });
  expect(decideByPause(before(7 * DAY), NOW)).toEqual({ kind: 'suppress' });
});

test('what went before a word to go on is forgiven; a week ago it is forgotten anyway', () => {
  expect(ratesSince(null, NOW)).toEqual(before(7 * DAY));
  expect(ratesSince(before(8 * DAY), NOW)).toEqual(before(7 * DAY));
  expect(ratesSince(before(HOUR), NOW)).toEqual(before(HOUR));
});

test('a second pause within a week lasts a day at least', () => {
  expect(resumableAt(NOW, null)).toEqual(NOW);
  expect(resumableAt(NOW, before(7 * DAY))).toEqual(NOW);
  expect(resumableAt(NOW, before(7 * DAY - 1))).toEqual(before(-DAY));
});
