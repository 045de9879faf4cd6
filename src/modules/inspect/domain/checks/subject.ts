/** Checks the stored subject (section 4.3, preflight: content). What expressions add to it is not known. */
import { isBlank } from '../email/blank-text.js';
import { CONTROL_FLOW_MARK, VALUE_MARK } from '../email/blanked-source.js';
import type { RuleFinding } from '../findings/finding.js';
import { checkSubjectText } from './left-over-text.js';

/** Maximum number of characters of a subject that phones and webmail show. */
const MAX_SHOWN_LENGTH = 70;
/** Maximum number of characters that most phones show. */
const MAX_PHONE_LENGTH = 50;
/** Below this number of characters, a subject has no meaning. */
const MIN_LENGTH = 4;
/** Maximum number of emoji in a subject. */
export const MAX_EMOJI = 2;
/** From this number of letters, text in capitals is not an abbreviation. */
const MIN_LETTERS = 8;

const WORKING_TITLE =
  /^\s*(?:\[(?:test|draft)\]|(?:test|draft)\s*:|copy of\b|(?:test|draft|untitled|subject|newsletter|new campaign)\s*$)/i;
const CONTROL = /[\0-\b\n-\x1f\x7f]/;
const GARBLED = /\ufffd|Ã[\u0080-\u00bf]|â€/;
const MARKUP = /<\/?[a-z][^<>]{0,80}>|&(?:[a-z]{2,8}|#\d{2,5});/i;
/** Joiners and direction marks are legitimate between letters of other scripts, but not between Latin ones. */
const INVISIBLE =
  /[\u00ad\u180e\u200b\u202a-\u202e\u2060-\u2069\ufeff]|\p{Script=Latin}[\u200c-\u200f]\p{Script=Latin}/u;

/** @param subject without its expressions; null when none is stored. */
export function checkSubject(subject: string | null): RuleFinding[] {
  const stated = (subject ?? '').replaceAll(VALUE_MARK, '').replaceAll(CONTROL_FLOW_MARK, '');
  if (subject === null || (isBlank(stated) && !subject.includes(VALUE_MARK))) {
    return [{ rule: 'subject_missing', message: 'The template has no stored subject.', at: null }];
  }
  const findings = checkSubjectText(subject);
  const report = (rule: RuleFinding['rule'], message: string): void => {
    findings.push({ rule, message, at: null });
  };
  const length = [...stated.trim()].length;
  if (length > MAX_SHOWN_LENGTH) {
    const values = subject.includes(VALUE_MARK) ? ' without inserted values' : '';
    report(
      'subject_long',
      `The subject has ${length} characters${values}; mail programs show ${MAX_SHOWN_LENGTH}.`,
    );
  } else if (length > MAX_PHONE_LENGTH) {
    report(
      'subject_long_for_phones',
      `The subject has ${length} characters; phones show ${MAX_PHONE_LENGTH}.`,
    );
  } else if (length < MIN_LENGTH && /\p{Script=Latin}/u.test(stated) && !subject.includes(VALUE_MARK)) {
    report('subject_short', `The subject has ${length} characters.`);
  }
  for (const [rule, message] of [...styleProblems(stated), ...characterProblems(subject)])
    report(rule, message);
  return findings;
}

type Problem = readonly [RuleFinding['rule'], string];

/** The faults in the style of a subject. */
function styleProblems(stated: string): Problem[] {
  const problems: Problem[] = [];
  const letters = stated.replace(/[^\p{Lu}\p{Ll}]/gu, '');
  if (letters.length >= MIN_LETTERS && !/\p{Ll}/u.test(letters)) {
    problems.push(['subject_capitals', 'The subject is written in capitals.']);
  }
  if (/[!！][!！]|([!！][^!！]{0,255}){3}/u.test(stated)) {
    problems.push(['subject_exclamation', 'The subject has several exclamation marks.']);
  }
  if (/^\s*(re|fwd?|aw|wg|tr)\s*:/i.test(stated)) {
    problems.push(['subject_false_reply', 'The subject imitates a reply or a forwarded message.']);
  }
  const emoji = stated.match(/\p{Emoji_Presentation}/gu)?.length ?? 0;
  if (emoji > MAX_EMOJI) problems.push(['subject_emoji', `The subject has ${emoji} emoji.`]);
  if (/(?:…|\.\.\.)\s*$/.test(stated)) problems.push(['subject_ellipsis', 'The subject ends in dots.']);
  if (WORKING_TITLE.test(stated)) {
    problems.push(['subject_working_title', 'The subject looks like that of a test or draft.']);
  }
  return problems;
}

/** The characters that do not belong in a subject. */
function characterProblems(subject: string): Problem[] {
  const shown = subject.replaceAll(CONTROL_FLOW_MARK, '').replace(new RegExp(`${VALUE_MARK}+`, 'g'), 'x');
  const problems: Problem[] = [];
  if (CONTROL.test(shown.trim())) {
    problems.push([
      'subject_control_characters',
      'The subject contains a line break or a control character.',
    ]);
  }
  if (GARBLED.test(shown) || !shown.isWellFormed()) {
    problems.push(['subject_garbled', 'The subject contains garbled characters.']);
  }
  if (MARKUP.test(shown))
    problems.push(['subject_markup', 'The subject contains HTML, which is shown as is.']);
  if (/^\s|\s$|\s{2}/.test(shown)) {
    problems.push(['subject_blanks', 'The subject has spaces at the start or end, or several in a row.']);
  }
  if (INVISIBLE.test(shown))
    problems.push(['subject_invisible', 'The subject contains invisible characters.']);
  return problems;
}
