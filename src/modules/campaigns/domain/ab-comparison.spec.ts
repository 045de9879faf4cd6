import { compareVariants, holdoutRate, type MeasuredVariant, type VariantCounts } from './ab-comparison.js';
import { NOTHING_MEASURED } from '../../metrics/domain/rates.js';

const counts = (more: Partial<VariantCounts> = {}, isMeasured = true): MeasuredVariant => {
  const all = {
    ...{ recipients: 100, sent: 100, bounced: 0, opened: 0, clicked: 0, conversions: 0 },
    ...more,
  };
  const of = all.sent - all.bounced;
  const known = {
    ...NOTHING_MEASURED,
    opensOf: of,
    opensIn: all.opened,
    clicksOf: of,
    clicksIn: all.clicked,
  };
  return { ...all, known: isMeasured ? known : NOTHING_MEASURED };
};

test('the best by what is asked for, with how sure that is', () => {
  const variants = [counts({ opened: 40, clicked: 9 }), counts({ opened: 60, clicked: 3 })];
  const opens = compareVariants(variants, 'open_rate');
  expect([opens.best, opens.significant]).toEqual([1, true]);
  expect(opens.variants.map(({ rate }) => rate)).toEqual([40, 60]);
  expect(opens.variants[1]?.interval).toEqual([50.2, 69.06]);
  const clicks = compareVariants(variants, 'click_rate');
  expect([clicks.best, clicks.significant]).toEqual([0, false]);
});

test('without any data the first one, of which nothing is sure', () => {
  const none = counts({ sent: 0 });
  expect(compareVariants([none, none, none], 'open_rate')).toMatchObject({
    best: 0,
    pValue: null,
    significant: false,
  });
});

test('of equals the first one', () => {
  expect(compareVariants([counts({ opened: 5 }), counts({ opened: 5 })], 'open_rate')).toMatchObject({
    best: 0,
    pValue: 1,
  });
});

test('what nobody measured decides nothing, of one variant or of all', () => {
  const variants = [counts({ opened: 5 }), counts({}, false)];
  expect(compareVariants(variants, 'open_rate')).toMatchObject({
    isMeasured: false,
    pValue: null,
    significant: false,
    variants: [
      { rate: 5, measured: { measured: 100, of: 100 } },
      { rate: null, measured: { measured: 0, of: 100 } },
    ],
  });
  expect(
    compareVariants([counts({}, false), counts({ conversions: 9 }, false)], 'conversion_rate'),
  ).toMatchObject({
    ...{ isMeasured: true, best: 1 },
    variants: [{ rate: 0 }, { rate: 9 }],
  });
  expect(
    compareVariants([counts({ sent: 0 }, false), counts({ sent: 0 }, false)], 'open_rate').isMeasured,
  ).toBe(true);
});

test('of what was measured in part, that part counts', () => {
  const half = { ...counts({ opened: 30 }), known: { ...NOTHING_MEASURED, opensOf: 50, opensIn: 25 } };
  const [one] = compareVariants([half, counts()], 'open_rate').variants;
  expect(one).toMatchObject({ rate: 50, measured: { measured: 50, of: 100 } });
});

test('what came back is left out', () => {
  const [one] = compareVariants(
    [counts({ sent: 100, bounced: 50, opened: 25 }), counts()],
    'open_rate',
  ).variants;
  expect(one?.rate).toBe(50);
});

test('who gets nothing is compared by conversions', () => {
  expect(holdoutRate({ recipients: 40, conversions: 3 })).toBe(7.5);
  expect(holdoutRate({ recipients: 0, conversions: 0 })).toBe(0);
});
