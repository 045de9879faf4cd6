import fc from 'fast-check';
import { RULES, type RuleName } from '../rules/catalogue.js';
import { canSend, scoreOf, summaryOf, type CountedFinding } from './score.js';

const names = Object.keys(RULES) as RuleName[];
const finding = fc.constantFrom(...names).map((name): CountedFinding => RULES[name]);

const of = (name: RuleName, count = 1): CountedFinding[] => Array.from({ length: count }, () => RULES[name]);

test.each([
  ['nothing', [], 100],
  ['one critical', of('subject_missing'), 75],
  ['one warning', of('link_insecure'), 94],
  ['one of information', of('preheader_missing'), 99],
  ['five of a critical code', of('link_empty', 5), 50],
  ['a thousand of a critical code', of('link_empty', 1_000), 50],
  [
    'critical ones of every kind',
    names.filter((name) => RULES[name].severity === 'critical').flatMap((name) => of(name)),
    0,
  ],
  [
    'information of every kind',
    names.filter((name) => RULES[name].severity === 'info').flatMap((name) => of(name, 9)),
    90,
  ],
])('%s', (_name, findings, score) => {
  expect(scoreOf(findings)).toBe(score);
});

test('one more finding never raises the score, and what is critical keeps it at 75 at most', () => {
  fc.assert(
    fc.property(fc.array(finding, { maxLength: 30 }), finding, (findings, more) => {
      const score = scoreOf([...findings, more]);
      expect(score).toBeLessThanOrEqual(scoreOf(findings));
      expect(score).toBeGreaterThanOrEqual(0);
      expect(Number.isInteger(score)).toBe(true);
      if (!canSend([...findings, more])) expect(score).toBeLessThanOrEqual(75);
    }),
  );
});

test('counts by severity and category', () => {
  const open = [...of('link_empty', 2), ...of('link_insecure'), ...of('preheader_missing')];
  expect(summaryOf(open)).toMatchObject({
    critical: 2,
    warning: 1,
    info: 1,
    byCategory: { links: 3, subject: 1, tracking: 0 },
  });
  expect(canSend(open)).toBe(false);
  expect(canSend(of('link_insecure'))).toBe(true);
});
