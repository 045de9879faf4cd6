/** Examines the stored subject (section 4.3, preflight: content). What expressions add to it is not known. */
import { STEERING, VALUE } from './blanked-source.js';
import type { RuleFinding } from './finding.js';
import { checkSubjectText } from './left-over-text.js';

/** Characters that phones and webmail show of a subject. */
const LONGEST_SHOWN = 70;
/** Letters from which on capitals are no abbreviation. */
const FEWEST_LETTERS = 8;

/** @param subject without its expressions; null when none is stored. */
export function checkSubject(subject: string | null): RuleFinding[] {
  const stated = (subject ?? '').replaceAll(VALUE, '').replaceAll(STEERING, '');
  if (subject === null || (stated.trim() === '' && !subject.includes(VALUE))) {
    return [{ rule: 'subject_missing', message: 'The template stores no subject.', at: null }];
  }
  const findings = checkSubjectText(subject);
  const tell = (rule: RuleFinding['rule'], message: string): void => {
    findings.push({ rule, message, at: null });
  };
  const length = [...stated.trim()].length;
  if (length > LONGEST_SHOWN) {
    const values = subject.includes(VALUE) ? ' without the values that are filled in' : '';
    tell('subject_long', `The subject has ${length} characters${values}; ${LONGEST_SHOWN} are shown.`);
  }
  const letters = stated.replace(/[^\p{Lu}\p{Ll}]/gu, '');
  if (letters.length >= FEWEST_LETTERS && !/\p{Ll}/u.test(letters)) {
    tell('subject_capitals', 'The subject is written in capitals.');
  }
  if (/[!！][!！]|([!！][^!！]{0,255}){3}/u.test(stated)) {
    tell('subject_exclamation', 'The subject has several exclamation marks.');
  }
  if (/^\s*(re|fwd?|aw|wg|tr)\s*:/i.test(stated)) {
    tell('subject_false_reply', 'The subject pretends to be a reply or to be forwarded.');
  }
  return findings;
}
