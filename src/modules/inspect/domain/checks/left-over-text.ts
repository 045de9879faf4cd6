/**
 * Finds placeholder text that was left in: guillemet placeholders, which block a send (section 4.3), merge tags of
 * other products, filler text and notes to oneself.
 */
import { findPlaceholders, containsPlaceholder } from '../../../../language/language.js';
import { CONTROL_FLOW_MARK, VALUE_MARK } from '../email/blanked-source.js';
import { MAX_FINDINGS } from '../findings/bounded-findings.js';
import { quote, type RuleFinding } from '../findings/finding.js';
import type { ParsedEmail } from '../email/parsed-email.js';
import type { RuleName } from '../rules/catalogue.js';

/** Guillemets written as HTML entities. */
const ENTITY = /&(?:laquo|raquo|#0{0,7}1(?:71|87)|#x0{0,7}[ab]b);?/i;

/**
 * Patterns are bounded in length and do not nest, so that a search stays linear. Notes to oneself are written with
 * character classes, so that tools do not find them here.
 */
const PATTERNS: readonly (readonly [RuleName, RegExp, string])[] = [
  ['foreign_merge_tag', /\*\|[^|*\n]{1,60}\|\*/g, 'a merge tag of another product'],
  ['foreign_merge_tag', /\{\{[^{}\n]{1,80}\}\}\}?/g, 'an expression of another language'],
  ['foreign_merge_tag', /\{%[^{}%\n]{1,80}%\}/g, 'an expression of another language'],
  ['foreign_merge_tag', /<%[^<>%\n]{1,80}%>/g, 'an expression of another language'],
  ['foreign_merge_tag', /\$\{[^{}\n]{1,60}\}/g, 'an expression of another language'],
  ['foreign_merge_tag', /\[\[[^[\]\n]{1,60}\]\]/g, 'a merge tag of another product'],
  ['foreign_merge_tag', /%%[A-Za-z_][\w .]{0,40}%%/g, 'a merge tag of another product'],
  ['foreign_merge_tag', /(?<![\w%])%[A-Z][A-Z0-9_]{2,40}%(?![\w%])/g, 'a merge tag of another product'],
  ['foreign_merge_tag', /-[A-Z]{3,20}_NAME-/g, 'a merge tag of another product'],
  // Mautic
  [
    'foreign_merge_tag',
    /\{(?:(?:contactfield|ownerfield|leadfield|pagelink|assetlink|focus|form|dynamiccontent)=[^{}\n]{1,120}|(?:unsubscribe|webview|resubscribe)_(?:url|text)|tracking_pixel|signature)\}/g,
    'a merge tag of another product',
  ],
  // Mailgun
  [
    'foreign_merge_tag',
    /%(?:recipient(?:\.[\w.]{1,60}|_\w{1,30})?|(?:tag_|mailing_list_)?unsubscribe_(?:url|email))%/g,
    'a merge tag of another product',
  ],
  // Sendy
  [
    'foreign_merge_tag',
    /\[(?:(?:Name|Email|[A-Z]\w{0,30}),fallback=[^[\]\n]{0,60}|Name|Email|unsubscribe|resubscribe|webversion|reconsent|current(?:day|daynumber|month|monthnumber|year))\]|<\/?(?:unsubscribe|webversion|reconsent)>/g,
    'a merge tag of another product',
  ],
  // Mailtrain
  [
    'foreign_merge_tag',
    /\[(?:LINK_(?:UNSUBSCRIBE|PREFERENCES|BROWSER|PUBLIC_SUBSCRIBE)|EMAIL(?:_ID)?|TO_NAME|FIRST_NAME|LAST_NAME|FULL_NAME|SUBSCRIPTION_ID|LIST_(?:ID|NAME|ID_ENCODED)|CAMPAIGN_(?:ID|NAME|SUBJECT)|MERGE_\w{1,40})(?:\/[^[\]\n]{0,60})?\]/g,
    'a merge tag of another product',
  ],
  [
    'filler_text',
    /\b(?:lorem ipsum(?:[\s,]{1,20}dolor sit amet)?|dolor sit amet)(?:[\s,]{1,20}consectetur adipisci\w{0,9})?|\bconsectetur adipisci\w{0,9}/gi,
    'filler text',
  ],
  ['placeholder_text', /\[[A-Z][A-Z0-9]*(?:[ _-][A-Z0-9]+){0,5}\]/g, 'a placeholder'],
  [
    'placeholder_text',
    /\[(?:insert|your|enter|add|first|last|full|company|customer|recipient)\b[^[\]\n]{0,60}\]/gi,
    'a placeholder',
  ],
  ['placeholder_text', /(?<![\w-])(?:XXX+|TO[D]O|FIX[M]E|TBD|TBC)(?![\w-])/g, 'a note'],
  [
    'placeholder_text',
    /\byour (?:text|content|headline|company name|logo) (?:goes )?here\b/gi,
    'a placeholder',
  ],
];

/** Guillemets in a subject or a body, independent of its structure. */
export function checkGuillemets(field: 'subject' | 'body', text: string): RuleFinding[] {
  const found = findPlaceholders(text, MAX_FINDINGS).map(({ token, kind, offset }) =>
    guillemet(field, token, kind, field === 'body' ? offset : null),
  );
  return [...found, ...encoded(field, text, found.length > 0)];
}

function guillemet(field: string, token: string, kind: 'pair' | 'lone', at: number | null): RuleFinding {
  const what = kind === 'pair' ? 'the placeholder' : 'an unpaired guillemet,';
  const message = `The ${field} contains ${what} ${quote(token)}.`;
  return { rule: 'placeholder', message, at, ...(at === null ? {} : { until: at + token.length }) };
}

function encoded(field: string, text: string, isReported: boolean): RuleFinding[] {
  if (isReported || !containsPlaceholder(text)) return [];
  const match = ENTITY.exec(text);
  const at = field === 'body' && match ? match.index : null;
  const message = `The ${field} contains a guillemet written as an entity${match ? ` (${match[0]})` : ''}.`;
  return [{ rule: 'placeholder', message, at, target: match?.[0] ?? field }];
}

/** Placeholder text in a subject, without its expressions. */
export function checkSubjectText(subject: string): RuleFinding[] {
  return search(subject).map(({ rule, what, match }) => ({
    rule,
    message: `The subject contains ${what}: ${quote(match)}.`,
    at: null,
  }));
}

/** Placeholder text in visible or spoken text, and in links. */
export function checkLeftOverText(email: ParsedEmail): RuleFinding[] {
  const findings = email.texts.flatMap(({ text, offset }) =>
    search(text).map(({ rule, what, match, index }): RuleFinding => {
      const message = `The text contains ${what}: ${quote(match)}.`;
      // Exact, unless entities precede it in the same text.
      const at = offset + index;
      if (!email.source.startsWith(match, at)) return { rule, message, at: offset, target: match };
      return { rule, message, at, until: at + match.length };
    }),
  );
  for (const element of email.elements) {
    for (const name of ['href', 'src', 'alt', 'title']) {
      const value = element.attributes.get(name);
      if (value === undefined || value.length > 4_000) continue;
      for (const { rule, what, match } of search(value)) {
        const message = `The attribute ${name} contains ${what}: ${quote(match)}.`;
        findings.push({ rule, message, at: element.offset, until: element.end });
      }
    }
  }
  return findings;
}

interface Match {
  readonly rule: RuleName;
  readonly what: string;
  readonly match: string;
  readonly index: number;
}

/** Each position once, by the first pattern that matches it. */
function search(text: string): Match[] {
  if (text.trim() === '') return [];
  const found = new Map<number, Match>();
  for (const [rule, pattern, what] of PATTERNS) {
    for (const { 0: match, index } of takeFirst(text.matchAll(pattern), MAX_FINDINGS)) {
      if (match.includes(VALUE_MARK) || match.includes(CONTROL_FLOW_MARK) || found.has(index)) continue;
      found.set(index, { rule, what, match, index });
    }
  }
  return [...found.values()].sort((a, b) => a.index - b.index);
}

function* takeFirst<T>(items: Iterable<T>, limit: number): Generator<T> {
  for (const item of items) {
    if (limit-- <= 0) return;
    yield item;
  }
}
