/**
 * Computes the spam score of a message from the rules that it breaks. As in filters, each rule counts once, however
 * often it is broken; of phrases each counts, up to a limit. No word blocks a message: a high score is only a warning.
 */
import type { RuleFinding } from '../findings/finding.js';
import { RULES, type RuleName } from '../rules/catalogue.js';
import { PHRASE_GROUPS } from './phrases.js';

/** The points from which filters treat a message as spam, and from which strict ones do. */
export const HIGH_SCORE = 5;
export const RAISED_SCORE = 3;
/** Maximum number of points of the phrases of one rule. */
const MAX_PHRASE_POINTS = 3;

/** The points of general rules as well as of the spam rules. */
const POINTS: Partial<Readonly<Record<RuleName, number>>> = {
  subject_missing: 1,
  subject_capitals: 1.5,
  subject_exclamation: 1,
  subject_false_reply: 1.5,
  image_only: 2,
  little_text: 0.5,
  plain_text_missing: 0.5,
  link_dangerous: 1.5,
  link_shortener: 1,
  link_ip_address: 1.5,
  link_credentials: 1.5,
  link_lookalike: 2,
  link_international: 0.3,
  link_text_mismatch: 1.5,
  link_insecure: 0.2,
  exclamation_many: 0.5,
  currency_signs: 1,
  money_amounts: 0.7,
  capitals_many: 1,
  invisible_characters: 2,
  word_mixes_scripts: 2,
  letters_spaced: 1.5,
  letters_replaced: 2,
  greeting_generic: 1,
  greeting_address: 1,
  attachment_mentioned: 0.3,
  emoji_many: 0.3,
  link_alone: 1,
  plain_text_short: 0.5,
  plain_text_differs: 1,
  plain_text_markup: 0.5,
  from_name_address: 1.5,
  from_name_loud: 0.5,
  from_free_mail: 1.5,
  from_no_reply: 0.1,
  reply_to_other_domain: 0.3,
  reply_to_free_mail: 2,
  hidden_text_colour: 2,
  hidden_text_size: 1.5,
  hidden_text_long: 1,
  text_huge: 0.5,
  text_screaming: 0.7,
  markup_heavy: 0.5,
  comments_long: 0.3,
  links_many: 0.3,
  link_domains_many: 0.5,
  link_tld_suspicious: 1,
  link_port: 0.7,
  link_program: 2,
  link_file: 0.5,
  link_obscured: 1.5,
  link_redirects: 0.7,
  link_nested_domain: 2,
  subject_currency: 0.7,
  subject_name_missing: 0.5,
  subject_emoji: 0.5,
  subject_symbols: 0.5,
  subject_invisible: 1.5,
  subject_question_marks: 0.5,
  subject_random_tail: 0.7,
  subject_address: 1,
  subject_link: 0.5,
  subject_short: 0.5,
};
const PHRASE_POINTS = new Map<RuleName, number>([
  ...PHRASE_GROUPS.map(({ rule, points }): [RuleName, number] => [rule, points]),
  ['subject_spam_phrase', 1],
]);

export interface SpamScore {
  readonly points: number;
  /** The rules that contribute, most points first. */
  readonly parts: readonly { readonly rule: RuleName; readonly points: number }[];
}

export function spamScore(findings: readonly RuleFinding[]): SpamScore {
  const counts = new Map<RuleName, number>();
  for (const { rule } of findings) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  const parts = [...counts].flatMap(([rule, count]) => {
    const each = PHRASE_POINTS.get(rule);
    const points = each === undefined ? (POINTS[rule] ?? 0) : Math.min(MAX_PHRASE_POINTS, each * count);
    return points > 0 ? [{ rule, points }] : [];
  });
  parts.sort((one, other) => other.points - one.points);
  return { points: rounded(parts.reduce((sum, { points }) => sum + points, 0)), parts };
}

/** The findings about a score; none for a low one. */
export function scoreFindings({ points, parts }: SpamScore): RuleFinding[] {
  if (points < RAISED_SCORE) return [];
  const isHigh = points >= HIGH_SCORE;
  const topRules = parts
    .slice(0, 5)
    .map((part) => `${RULES[part.rule].code} ${rounded(part.points)}`)
    .join(', ');
  const bound = isHigh ? HIGH_SCORE : RAISED_SCORE;
  return [
    {
      rule: isHigh ? 'spam_score_high' : 'spam_score_raised',
      message:
        `The message scores ${points} points; ${bound} are ` +
        `${isHigh ? 'spam to most filters' : 'spam to strict filters'}: ${topRules}.`,
      at: null,
      target: 'score',
    },
  ];
}

/** Rounds to a tenth: sums of tenths are not exact. */
function rounded(points: number): number {
  return Math.round(points * 10) / 10;
}
