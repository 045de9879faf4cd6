/** Checks the preheader, the line that email clients show next to the subject (section 4.7, subject). */
import { CONTROL_FLOW_MARK, VALUE_MARK } from '../email/blanked-source.js';
import { quote, type RuleFinding } from '../findings/finding.js';
import { hiddenElements } from '../email/hidden-elements.js';
import { preheaderOf } from './message-text.js';
import type { ParsedEmail } from '../email/parsed-email.js';

const MAX_LENGTH = 150;
const MIN_LENGTH = 30;
/** The assumed length of a value, in characters. */
const ASSUMED_VALUE_LENGTH = 10;
const BOILERPLATE =
  /^(?:view|read|open|see) (?:this|it|the)\b.{0,40}\b(?:browser|online)|^(?:having trouble|can['’]?t (?:see|read)|trouble (?:viewing|reading)|view (?:in|online)|(?:im|in) browser|web version|online[- ]?version|voir (?:dans|en ligne))/i;

/** The faults of the preheader in a body, or of the body's beginning if it has none. */
export function checkPreheader(email: ParsedEmail): RuleFinding[] {
  const preheader = preheaderOf(email);
  if (preheader !== null) return checkLength(preheader);
  const hidden = hiddenElements(email);
  const first = email.texts.find(({ text, parent }) => text.trim() !== '' && !hidden.has(parent));
  if (!first || !BOILERPLATE.test(first.text.trim().slice(0, 200))) return [];
  const message = `The message starts with ${quote(first.text)}.`;
  return [
    { rule: 'preview_boilerplate', message, at: first.offset, until: first.offset + first.text.length },
  ];
}

function checkLength(preheader: string): RuleFinding[] {
  const length = [...plain(preheader)].length;
  const message = `The preheader has ${length} characters.`;
  if (length > MAX_LENGTH) return [{ rule: 'preheader_long', message, at: null }];
  if (length > 0 && length < MIN_LENGTH) return [{ rule: 'preheader_short', message, at: null }];
  return [];
}

/**
 * Whether the preheader repeats the subject.
 * @param subject and preheader without their expressions, or rendered.
 */
export function checkPreheaderRepeatsSubject(
  subject: string | null,
  preheader: string | null,
): RuleFinding[] {
  const [one, other] = [comparable(subject ?? ''), comparable(preheader ?? '')];
  const repeats = one === other || (one.length >= 10 && other.startsWith(one));
  if (one === '' || !repeats) return [];
  return [{ rule: 'preheader_repeats_subject', message: 'The preheader repeats the subject.', at: null }];
}

function plain(text: string): string {
  return text
    .replaceAll(CONTROL_FLOW_MARK, '')
    .replace(new RegExp(`${VALUE_MARK}+`, 'g'), 'x'.repeat(ASSUMED_VALUE_LENGTH));
}

function comparable(text: string): string {
  return plain(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
