import fc from 'fast-check';
import { abGroupOf } from './audience-group.js';
import type { AbTest } from './ab-test.js';

const CAMPAIGN = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0f0001';
const variant = (name: string) => ({ name, subject: null, templateId: null, senderName: null });
const test_: AbTest = {
  variants: [variant('A'), variant('B'), variant('C')],
  ...{ testPercentage: 30, metric: 'open_rate', goal: null, durationHours: 4 },
  ...{ sendWinner: 'auto', holdoutPercentage: 10 },
};
const places = (more: Partial<AbTest> = {}, people = 30_000) =>
  Array.from({ length: people }, (_, n) => abGroupOf(CAMPAIGN, `person ${n}`, { ...test_, ...more }));

test('shares are what was asked for', () => {
  const found = places();
  const share = (kind: string): number => found.filter((place) => place.kind === kind).length / found.length;
  expect(share('holdout')).toBeCloseTo(0.1, 2);
  expect(share('variant')).toBeCloseTo(0.27, 2);
  const first = found.filter((place) => place.kind === 'variant' && place.index === 0).length / found.length;
  expect(first).toBeCloseTo(0.09, 2);
});

test('all are tested where that is asked for', () => {
  expect(
    new Set(places({ testPercentage: 100, holdoutPercentage: 0 }, 2_000).map(({ kind }) => kind)),
  ).toEqual(new Set(['variant']));
});

test('a larger share keeps who was in it, with the same variant', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.integer({ min: 1, max: 99 }), (contactId, testPercentage) => {
      const before = abGroupOf(CAMPAIGN, contactId, { ...test_, testPercentage });
      const after = abGroupOf(CAMPAIGN, contactId, { ...test_, testPercentage: testPercentage + 1 });
      if (before.kind !== 'rest') expect(after).toEqual(before);
    }),
  );
});

test('another campaign is another draw', () => {
  const other = Array.from({ length: 200 }, (_, n) => abGroupOf('other', `person ${n}`, test_));
  expect(other).not.toEqual(places({}, 200));
});
