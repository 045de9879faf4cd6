import { HIGH_SCORE, RAISED_SCORE, scoreFindings, spamScore } from './spam-score.js';
import type { RuleName } from '../rules/catalogue.js';

const found = (...rules: RuleName[]) => rules.map((rule) => ({ rule, message: '', at: null }));

test.each<[string, RuleName[], number]>([
  ['nothing', [], 0],
  ['what gives none', ['contrast_low'], 0],
  ['a rule', ['hidden_text_colour'], 2],
  ['a rule that is broken often', ['link_port', 'link_port', 'link_port'], 0.7],
  ['phrases, each of which counts', ['phrase_money', 'phrase_money'], 2],
  ['phrases, up to their bound', Array.from({ length: 9 }, () => 'phrase_money'), 3],
  ['what other checks tell of', ['subject_capitals', 'link_text_mismatch'], 3],
  ['sums of tenths', ['link_port', 'link_redirects', 'link_insecure'], 1.6],
])('%s', (_, rules, points) => expect(spamScore(found(...rules)).points).toBe(points));

test('what has the most points comes first', () => {
  expect(spamScore(found('link_port', 'hidden_text_colour')).parts.map(({ rule }) => rule)).toEqual([
    'hidden_text_colour',
    'link_port',
  ]);
});

test.each<[number, string | undefined]>([
  [RAISED_SCORE - 0.1, undefined],
  [RAISED_SCORE, 'spam_score_raised'],
  [HIGH_SCORE - 0.1, 'spam_score_raised'],
  [HIGH_SCORE, 'spam_score_high'],
])('%d points are told as %s', (points, rule) => {
  const [finding] = scoreFindings({ points, parts: [{ rule: 'subject_capitals', points }] });
  expect(finding?.rule).toBe(rule);
  if (finding) expect(finding.message).toContain(`${points} points`);
  if (finding) expect(finding.message).toContain(`SJ003 ${points}`);
});
