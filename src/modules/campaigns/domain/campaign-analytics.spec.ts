import fc from 'fast-check';
import { NOTHING_MEASURED } from '../../metrics/domain/rates.js';
import { ZERO_COUNTERS, type CampaignCounters } from './campaign-counters.js';
import { campaignMetrics, ratesOf, sumMetrics } from './campaign-analytics.js';

const instance = { audience: 100, skipped: 10, mailed: 90, status: 'sending' as const };
const countersWith = (more: Partial<CampaignCounters>): CampaignCounters => ({ ...ZERO_COUNTERS, ...more });

test('rates are of what has arrived, of what was sent, of what was opened', () => {
  const numbers = { sent: 80, bounced: 5, opened: 30, clicked: 10, spamReports: 1, unsubscribed: 2 };
  const known = {
    deliveriesOf: 80,
    opensOf: 75,
    opensIn: 30,
    clicksOf: 75,
    clicksIn: 10,
    bothOf: 30,
    bothIn: 10,
  };
  expect(ratesOf({ ...numbers, ...NOTHING_MEASURED })).toMatchObject({
    ...{ openRate: null, clickRate: null, clickToOpenRate: null, bounceRate: 6.25 },
  });
  expect(ratesOf({ ...numbers, ...known })).toEqual({
    ...{ openRate: 40, clickRate: 13.33, clickToOpenRate: 33.33 },
    ...{ bounceRate: 6.25, spamRate: 1.33, unsubscribeRate: 2.67 },
  });
});

test('nothing is divided by nothing', () => {
  const none = {
    ...NOTHING_MEASURED,
    sent: 0,
    bounced: 0,
    opened: 0,
    clicked: 0,
    spamReports: 0,
    unsubscribed: 0,
  };
  expect(new Set(Object.values(ratesOf(none)))).toEqual(new Set([0]));
});

test('what waits of a cancelled one is cancelled, but for what is under way', () => {
  const known = countersWith({ sent: 40, cancelled: 20 });
  expect(campaignMetrics({ ...instance, status: 'cancelled' }, known, 2)).toMatchObject({
    pending: 2,
    cancelled: 48,
  });
  expect(campaignMetrics(instance, known, 2)).toMatchObject({ pending: 30, cancelled: 20 });
});

test('it always adds up to the audience', () => {
  const count = fc.integer({ min: 0, max: 18 });
  fc.assert(
    fc.property(count, count, count, count, count, count, fc.boolean(), (...drawn) => {
      const [sent, failed, suppressed, cancelled, unknown, underWay, isCancelled] = drawn;
      const known = countersWith({ sent, failed, suppressed, cancelled, unknown });
      const numbers = sumMetrics(
        [
          campaignMetrics({ ...instance, status: isCancelled ? 'cancelled' : 'sending' }, known, underWay),
          campaignMetrics(instance, countersWith({}), 0),
        ].map((one) => ({ ...one, ...NOTHING_MEASURED })),
      );
      const parts = ['pending', 'sent', 'failed', 'suppressed', 'skipped', 'cancelled', 'unknown'] as const;
      expect(parts.reduce((sum, name) => sum + numbers[name], 0)).toBe(200);
      expect(numbers.audience).toBe(200);
    }),
  );
});
