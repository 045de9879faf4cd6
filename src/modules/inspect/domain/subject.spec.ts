/** The stored subject. */
import { parseTemplate } from '../../../language/language.js';
import { blankExpressions } from './blanked-source.js';
import { checkSubject } from './subject.js';

test.each<[string | null, string[]]>([
  [null, ['subject_missing']],
  ['  ', ['subject_missing']],
  ['Welcome aboard', []],
  ["{the user's Subject}", []],
  ["{if the user's A}Hello{end if}", []],
  ['x'.repeat(70), []],
  ['x'.repeat(71), ['subject_long']],
  ['😀'.repeat(70), []],
  [`${'x'.repeat(60)}{the user's First Name, or "there"}`, []],
  ['SALE ENDS TODAY', ['subject_capitals']],
  ['NASA', []],
  ['2024!', []],
  ['Sale!', []],
  ['Sale!!', ['subject_exclamation']],
  ['A! B! C!', ['subject_exclamation']],
  ['Re: your order', ['subject_false_reply']],
  ['Regarding your order', []],
  ['ПРИВЕТ ВСЕМ ЛЮДЯМ', ['subject_capitals']],
  ['你好世界你好世界你好', []],
])('%j', (subject, expected) => {
  const blanked = subject === null ? null : blankExpressions(subject, parseTemplate(subject).nodes);
  expect(checkSubject(blanked).map(({ rule }) => rule)).toEqual(expected);
});
