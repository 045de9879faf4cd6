/** What sources say of somebody's subscription, as far as it is a refusal: nothing that they say opts anybody in. */
import type { JsonValue } from '../../../kernel/json.js';
import type { SuppressionReason } from '../../suppressions/domain/suppression.js';
import type { OptOutReason } from './foreign-contact.js';

/** Values of a status, by their words in lower case joined with underscores. */
const WORDS: ReadonlyMap<string, OptOutReason> = new Map([
  ['unsubscribed', 'unsubscribed'],
  ['unsubscribe', 'unsubscribed'],
  ['opted_out', 'unsubscribed'],
  ['opt_out', 'unsubscribed'],
  ['optout', 'unsubscribed'],
  ['cleaned', 'bounced'],
  ['bounced', 'bounced'],
  ['hard_bounce', 'bounced'],
  ['hard_bounced', 'bounced'],
  ['complained', 'complained'],
  ['complaint', 'complained'],
  ['spam_complaint', 'complained'],
]);

const YES = new Set(['true', '1', 'yes']);

/** Columns that say by a yes that somebody is out, by words of their names joined with underscores. */
const OPT_OUT_COLUMN =
  /(?:^|_)(?:opt(?:ed)?_?out|unsubscribed?|do_not_(?:e?_?mail|contact|send)|(?:is_)?suppressed)(?:_|$)/;
const BOUNCED_COLUMN = /(?:^|_)(?:(?:hard_?)?bounced?|cleaned)(?:_|$)/;
const COMPLAINED_COLUMN = /(?:^|_)(?:spam_)?compla(?:ined|int)(?:_|$)/;

/** Which suppression a refusal is, where it is one. */
export const SUPPRESSION_OF: Readonly<Record<OptOutReason, SuppressionReason | null>> = {
  unsubscribed: null,
  bounced: 'hard_bounce',
  complained: 'complaint',
};

/** The later in this list, the graver. */
const BY_GRAVITY: readonly OptOutReason[] = ['unsubscribed', 'bounced', 'complained'];

/** The graver of two; null says nothing. */
export function graver(one: OptOutReason | null, other: OptOutReason | null): OptOutReason | null {
  if (one === null || other === null) return one ?? other;
  return BY_GRAVITY.indexOf(one) >= BY_GRAVITY.indexOf(other) ? one : other;
}

/**
 * What a value means that was mapped to subscription_status: the words of a refusal anywhere, a yes in a column whose name
 * says that it tells of a refusal. Null for everything else.
 */
export function optOutIn(column: string, value: JsonValue): OptOutReason | null {
  if (typeof value !== 'string' && typeof value !== 'boolean' && typeof value !== 'number') return null;
  const word = wordsOf(String(value));
  const said = WORDS.get(word);
  if (said !== undefined) return said;
  return YES.has(word) ? meaningOf(wordsOf(column)) : null;
}

function meaningOf(column: string): OptOutReason | null {
  if (COMPLAINED_COLUMN.test(column)) return 'complained';
  if (BOUNCED_COLUMN.test(column)) return 'bounced';
  return OPT_OUT_COLUMN.test(column) ? 'unsubscribed' : null;
}

/** Characters of a text that is looked at. */
const LONGEST = 255;

/** `optedOut`, `Opted out` and `OPTED-OUT` are all `opted_out`. */
function wordsOf(text: string): string {
  return text
    .slice(0, LONGEST)
    .trim()
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_');
}
