/** Findings of the source are not repeated for its rendering; all other findings are kept. */
import { withoutRepeatedFindings, deduplicatedFindings } from './repeated-findings.js';
import type { RuleFinding } from './finding.js';
import { RULES, type RuleName } from '../rules/catalogue.js';

const at = (rule: RuleName, place: number | null, until = place): RuleFinding => ({
  rule,
  message: 'x',
  at: place,
  ...(until === null ? {} : { until }),
});
const rules = (...findings: RuleFinding[]): RuleName[] =>
  withoutRepeatedFindings(findings).map(({ rule }) => rule);

test.each<[RuleName, RuleName]>([
  ['contrast_low', 'text_unreadable'],
  ['text_tiny', 'text_small_as_shown'],
  ['image_without_alt', 'image_leaves_gap'],
  ['link_unnamed', 'link_shows_nothing'],
  ['style_long', 'styles_lost'],
])('%s at an element silences %s there and nowhere else', (source, echo) => {
  expect(rules(at(source, 20), at(echo, 10, 30))).toEqual([source]);
  expect(rules(at(echo, 10, 30), at(source, 20))).toEqual([source]);
  expect(rules(at(source, 31), at(echo, 10, 30), at(echo, 40))).toEqual([source, echo, echo]);
  expect(RULES[echo].severity === 'warning' && RULES[source].severity === 'info').toBe(false);
});

test('what is of the whole message is told once', () => {
  expect(rules(at('size_clipped', null), at('clipped_by_gmail', null))).toEqual(['size_clipped']);
  expect(rules(at('clipped_by_gmail', null))).toEqual(['clipped_by_gmail']);
});

test('other findings of an element stay', () => {
  expect(rules(at('contrast_low', 20), at('text_cut_off', 10, 30), at('contrast_low', 20))).toHaveLength(3);
});

const of = (message: string, at: number | null): RuleFinding => ({ rule: 'link_private', message, at });

test('if two checks report the same element, only the first finding remains', () => {
  const reported = deduplicatedFindings([
    [of('static', 4), of('twice', 4)],
    [of('fetched', 4), of('other', 9)],
    [of('late', 9)],
  ]);
  expect(reported.map(({ message }) => message)).toEqual(['static', 'twice', 'other']);
});

test('what is of the whole message stays', () => {
  expect(deduplicatedFindings([[of('a', null)], [of('b', null)]])).toHaveLength(2);
});
