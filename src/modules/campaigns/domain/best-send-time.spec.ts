import { bestSendTime, LOOKBACK_DAYS, type ReadingHour } from './best-send-time.js';

const NOW = new Date('2026-03-04T10:30:00Z');
const hour = (dayOfWeek: number, at: number, opens: number, clicks = 0): ReadingHour => ({
  dayOfWeek,
  hour: at,
  opens,
  clicks,
});
const best = (hours: readonly ReadingHour[], zone = 'UTC', now = NOW) =>
  bestSendTime({ contacts: 9, hours }, zone, now);

test.each([
  [0, 'none'],
  [49, 'none'],
  [50, 'low'],
  [199, 'low'],
  [200, 'medium'],
  [999, 'medium'],
  [1_000, 'high'],
])('%d opens and clicks: %s', (count, confidence) => {
  const recommendation = best([hour(1, 9, count)]);
  expect(recommendation.confidence).toBe(confidence);
  expect(
    [recommendation.recommendedAt, recommendation.dayOfWeek, recommendation.hour].every(
      (one) => one === null,
    ),
  ).toBe(confidence === 'none');
  expect(recommendation.basedOn).toEqual({ opens: count, clicks: 0, contacts: 9, days: LOOKBACK_DAYS });
});

test('a click counts as two opens', () =>
  expect(best([hour(0, 8, 60, 0), hour(5, 20, 1, 30)])).toMatchObject({ dayOfWeek: 5, hour: 20 }));

test('of equal hours the one with the livelier neighbours, over the end of the week too', () =>
  expect(best([hour(2, 12, 40), hour(6, 23, 40), hour(0, 0, 10)])).toMatchObject({ dayOfWeek: 6, hour: 23 }));

test('of equal hours with equal neighbours the first of the week', () =>
  expect(best([hour(4, 7, 40), hour(1, 7, 40)])).toMatchObject({ dayOfWeek: 1, hour: 7 }));

test.each([
  // Wednesday, 10:30 in UTC.
  ['later this week', 4, 9, 'UTC', '2026-03-06T09:00:00Z'],
  ['later today', 2, 11, 'UTC', '2026-03-04T11:00:00Z'],
  ['this hour, which has begun', 2, 10, 'UTC', '2026-03-11T10:00:00Z'],
  ['earlier this week', 0, 9, 'UTC', '2026-03-09T09:00:00Z'],
  ['east of here', 2, 11, 'Asia/Kolkata', '2026-03-11T05:30:00Z'],
  ['where it is another day', 3, 1, 'Pacific/Auckland', '2026-03-04T12:00:00Z'],
  ['west of here', 1, 20, 'America/Los_Angeles', '2026-03-11T03:00:00Z'],
])('%s', (_, dayOfWeek, at, zone, expected) =>
  expect(best([hour(dayOfWeek, at, 50)], zone).recommendedAt).toEqual(new Date(expected)),
);

test.each([
  ['behind a change of clocks', '2026-03-27T10:00:00Z', 0, 9, '2026-03-30T07:00:00Z'],
  // On the 29th, clocks in Berlin jump from 2:00 to 3:00.
  ['in what it leaves out, as soon as it is over', '2026-03-27T10:00:00Z', 6, 2, '2026-03-29T01:00:00Z'],
  ['right before it', '2026-03-29T00:30:00Z', 6, 3, '2026-03-29T01:00:00Z'],
])('%s', (_, now, dayOfWeek, at, expected) =>
  expect(best([hour(dayOfWeek, at, 50)], 'Europe/Berlin', new Date(now)).recommendedAt).toEqual(
    new Date(expected),
  ),
);
