import { NO_EMAILS, NO_TRIPS, sumEmailCounts, sumTripCounts } from './period-totals.js';

test('sums of messages and trips add up field by field, and of nothing are 0', () => {
  const emails = { ...NO_EMAILS, sent: 5, opened: 2, opensOf: 4, bothIn: 1 };
  expect(sumEmailCounts([emails, { ...NO_EMAILS, sent: 1, complained: 1 }, emails])).toEqual({
    ...NO_EMAILS,
    ...{ sent: 11, opened: 4, complained: 1, opensOf: 8, bothIn: 2 },
  });
  const trips = { entered: 5, completed: 3, converted: 1 };
  expect(sumTripCounts([trips, trips])).toEqual({ entered: 10, completed: 6, converted: 2 });
  expect(
    Object.values(NO_EMAILS)
      .concat(Object.values(NO_TRIPS))
      .every((count) => count === 0),
  ).toBe(true);
  expect(Object.keys(sumEmailCounts([]))).toEqual(Object.keys(emails));
  expect(sumTripCounts([])).toEqual({ entered: 0, completed: 0, converted: 0 });
});
