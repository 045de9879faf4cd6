/** Rules about the words and symbols of a rendered subject (codes SJ060 to SJ063 and SJ066 to SJ069). */
import { quote, type RuleFinding } from '../findings/finding.js';
import { MAX_EMOJI } from '../checks/subject.js';
import { phrasesIn } from './phrases.js';

/** Maximum number of characters of a subject that are read. */
const MAX_SUBJECT_LENGTH = 2_000;
const MAX_SYMBOLS = 2;

const PATTERNS: readonly (readonly [RuleFinding['rule'], RegExp, string])[] = [
  [
    'subject_currency',
    /[$€£¥]{2,}|[$€£]\s?\d{1,3}(?:[,.]\d{3})+(?!\d)|[$€£]\s?\d{4,}/u,
    'The subject emphasizes money',
  ],
  [
    'subject_name_missing',
    /^\s*[,;!]|^\s*(?:hi|hello|hey|dear|hallo|liebe|lieber|bonjour|salut|hola|ciao|olá|beste)\s*[,!](?=\s*\S)|\(\s*\)|(?<=\S)\s,\s|,\s*,|\b(?:undefined|null|NaN)\b/iu,
    'A value is missing in the subject',
  ],
  ['subject_question_marks', /[?？]\s?[?？!！]|[!！]\s?[?？]/u, 'The subject has repeated punctuation'],
  [
    'subject_random_tail',
    /\s(?:[#(*[]{0,2}(?=[a-z\d]*\d)(?=[a-z\d]*[a-z])[a-z\d]{8,}[)*\]]?|#?\d{9,})\s*$/iu,
    'The subject ends with random characters',
  ],
  ['subject_address', /[\w.+-]{1,64}@[\w-]{1,63}\.[a-z]{2,}/iu, 'The subject contains an email address'],
  ['subject_link', /\bhttps?:\/\/|\bwww\.[a-z\d-]{1,63}\.[a-z]{2,}/iu, 'The subject contains a URL'],
];

/** @param subject the rendered subject; null if there is none. */
export function subjectWordingFindings(subject: string | null): RuleFinding[] {
  if (subject === null || subject.trim() === '') return [];
  const text = subject.slice(0, MAX_SUBJECT_LENGTH);
  const findingOf = (rule: RuleFinding['rule'], statement: string): RuleFinding => ({
    rule,
    message: `${statement}: ${quote(text)}.`,
    at: null,
    target: 'subject',
  });
  const findings = PATTERNS.flatMap(([rule, pattern, statement]) =>
    pattern.test(text) ? [findingOf(rule, statement)] : [],
  );
  for (const { phrase } of phrasesIn(text)) {
    const message = `The subject says ${quote(phrase)}.`;
    findings.push({ rule: 'subject_spam_phrase', message, at: null, target: phrase });
  }
  const emoji = text.match(/\p{Emoji_Presentation}/gu)?.length ?? 0;
  const symbols = emoji + (text.match(/[★☆►▶◄✔✓➤→»❤♥]/gu)?.length ?? 0);
  // Another rule reports too many emoji.
  if (symbols > MAX_SYMBOLS && emoji <= MAX_EMOJI)
    findings.push(findingOf('subject_symbols', `The subject has ${symbols} symbols`));
  return findings;
}
