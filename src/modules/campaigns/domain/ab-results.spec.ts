import { abFindings, holdoutRate, type VariantCounts } from './ab-results.js';

const counts = (more: Partial<VariantCounts> = {}): VariantCounts => ({
  ...{ recipients: 100, sent: 100, bounced: 0, opened: 0, clicked: 0, conversions: 0 },
  ...more,
});

test('the best by what is asked for, with how sure that is', () => {
  const variants = [counts({ opened: 40, clicked: 9 }), counts({ opened: 60, clicked: 3 })];
  const opens = abFindings(variants, 'open_rate');
  expect([opens.best, opens.significant]).toEqual([1, true]);
  expect(opens.variants.map(({ rate }) => rate)).toEqual([40, 60]);
  expect(opens.variants[1]?.interval).toEqual([50.2, 69.06]);
  const clicks = abFindings(variants, 'click_rate');
  expect([clicks.best, clicks.significant]).toEqual([0, false]);
});

test('without any data the first one, of which nothing is sure', () => {
  const none = counts({ sent: 0 });
  expect(abFindings([none, none, none], 'open_rate')).toMatchObject({
    best: 0,
    pValue: null,
    significant: false,
  });
});

test('of equals the first one', () => {
  expect(abFindings([counts({ opened: 5 }), counts({ opened: 5 })], 'open_rate')).toMatchObject({
    best: 0,
    pValue: 1,
  });
});

test('what came back is left out', () => {
  const [one] = abFindings([counts({ sent: 100, bounced: 50, opened: 25 }), counts()], 'open_rate').variants;
  expect(one?.rate).toBe(50);
});

test('who gets nothing is compared by conversions', () => {
  expect(holdoutRate({ recipients: 40, conversions: 3 })).toBe(7.5);
  expect(holdoutRate({ recipients: 0, conversions: 0 })).toBe(0);
});
