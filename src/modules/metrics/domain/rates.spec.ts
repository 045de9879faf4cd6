import fc from 'fast-check';
import { emailRates, measuredEmails, percentage } from './rates.js';

test.each([
  [0, 0, 0],
  [0, 7, 0],
  [7, 7, 100],
  [1, 3, 33.33],
  [2, 3, 66.67],
  [1, 800, 0.13],
  [1, 5_000_000, 0],
  [4_999_999, 5_000_000, 100],
  [1, -1, 0],
])('%i of %i is %d %%', (part, whole, percent) => expect(percentage(part, whole)).toBe(percent));

test('a part of a whole is a percentage with two decimals', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (a, b) => {
      const rate = percentage(Math.min(a, b), Math.max(a, b));
      expect(rate).toBeGreaterThanOrEqual(0);
      expect(rate).toBeLessThanOrEqual(100);
      expect(rate).toBe(Number(rate.toFixed(2)));
    }),
  );
});

test('rates of mail are of what arrived, bounces of what was sent, clicks of what was opened too', () => {
  const known = {
    deliveriesOf: 0,
    opensOf: 100,
    opensIn: 50,
    clicksOf: 100,
    clicksIn: 5,
    bothOf: 50,
    bothIn: 5,
  };
  const counts = { sent: 110, bounced: 10, opened: 50, clicked: 5, complained: 1, unsubscribed: 2, ...known };
  expect(emailRates(counts)).toEqual({
    openRate: 50,
    clickRate: 5,
    clickToOpenRate: 10,
    bounceRate: 9.09,
    complaintRate: 1,
    unsubscribeRate: 2,
  });
});

test('rates of opens and clicks are of what was measured, and null where nothing was', () => {
  const counts = { sent: 110, bounced: 10, opened: 50, clicked: 5, complained: 1, unsubscribed: 2 };
  const none = { deliveriesOf: 0, opensOf: 0, opensIn: 0, clicksOf: 0, clicksIn: 0, bothOf: 0, bothIn: 0 };
  expect(emailRates({ ...counts, ...none })).toMatchObject({
    ...{ openRate: null, clickRate: null, clickToOpenRate: null, bounceRate: 9.09 },
  });
  expect(emailRates({ ...counts, ...none, opensOf: 40, opensIn: 10 })).toMatchObject({
    ...{ openRate: 25, clickRate: null, clickToOpenRate: null },
  });
  expect(emailRates({ ...counts, ...none, sent: 10 })).toMatchObject({ openRate: 0, clickRate: 0 });
});

test('deliveries are measured of what was sent, opens and clicks of what arrived', () => {
  const known = {
    deliveriesOf: 90,
    opensOf: 80,
    opensIn: 0,
    clicksOf: 70,
    clicksIn: 0,
    bothOf: 0,
    bothIn: 0,
  };
  expect(measuredEmails({ sent: 110, bounced: 10, ...known })).toEqual({
    deliveries: { measured: 90, of: 110 },
    opens: { measured: 80, of: 100 },
    clicks: { measured: 70, of: 100 },
  });
});
