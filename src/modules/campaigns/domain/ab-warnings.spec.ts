import type { AbTest } from './ab-test.js';
import { abWarnings, minAudience, minVariantSize, variantSize } from './ab-warnings.js';

const variant = (name: string) => ({ name, subject: null, templateId: null, senderName: null });
const test20: AbTest = {
  variants: [variant('A'), variant('B')],
  ...{ testPercentage: 20, metric: 'open_rate', goal: null, durationHours: 4 },
  ...{ sendWinner: 'auto', holdoutPercentage: 0 },
};
const codes = (...asked: Parameters<typeof abWarnings>): string[] =>
  abWarnings(...asked).map(({ code }) => code);

test.each([
  ['open_rate', 145],
  ['click_rate', 214],
  ['conversion_rate', 214],
] as const)('a test by %s takes %i contacts for each variant', (metric, size) =>
  expect(minVariantSize(metric)).toBe(size),
);

test.each([
  [{}, 1_450],
  [{ testPercentage: 100 }, 290],
  [{ holdoutPercentage: 20 }, 1_813],
  [{ variants: ['A', 'B', 'C', 'D'].map(variant) }, 2_900],
] as const)('%j takes an audience of %i, and not one less', (more, audience) => {
  const abTest = { ...test20, ...more };
  expect(minAudience(abTest)).toBe(audience);
  expect(variantSize(abTest, audience)).toBe(minVariantSize('open_rate'));
  expect(codes(abTest, { isMeasured: true, audience })).toEqual([]);
  expect(codes(abTest, { isMeasured: true, audience: audience - 1 })).toEqual(['ab_audience_too_small']);
});

test('what is not measured, and what is not known yet', () => {
  expect(codes(test20, { isMeasured: false, audience: null })).toEqual(['ab_metric_not_measured']);
  expect(codes(test20, { isMeasured: false, audience: 0 })).toEqual([
    'ab_metric_not_measured',
    'ab_audience_too_small',
  ]);
  const [small] = abWarnings(test20, { isMeasured: true, audience: 120 });
  expect(small?.message).toBe(
    'Each variant goes to about 12 of 120 contacts. Telling 20% from 30% takes 145 per variant: an audience of 1450, fewer variants, or a larger test_percentage.',
  );
});
