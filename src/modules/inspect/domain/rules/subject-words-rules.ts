/** The words and signs of the subject: codes SJ from 060 on. */
import { rulesOf } from './rule.js';

export const SUBJECT_WORDS_RULES = rulesOf('subject', {
  subject_spam_phrase: {
    code: 'SJ060',
    severity: 'warning',
    preflight: 'content',
    title: 'Phrase of spam in the subject',
    cause: 'Filters count such phrases in the subject more than in the body.',
    fix: 'Say in plain words what the message is about.',
  },
  subject_currency: {
    code: 'SJ061',
    severity: 'info',
    preflight: 'content',
    title: 'Currency signs in the subject',
    cause: 'Several currency signs or large sums in a subject are those of spam.',
    fix: 'Leave the sum to the message.',
  },
  subject_name_missing: {
    code: 'SJ062',
    severity: 'warning',
    preflight: 'content',
    title: 'Empty place of a name',
    cause: 'A greeting without its name shows that nobody was meant.',
    fix: 'Give the value a fallback.',
  },
  subject_symbols: {
    code: 'SJ063',
    severity: 'info',
    preflight: 'content',
    title: 'Many symbols in the subject',
    cause: 'Stars, arrows and pictures in place of words look like spam in a list of messages.',
    fix: 'Keep one symbol, or none.',
  },
  subject_question_marks: {
    code: 'SJ066',
    severity: 'info',
    preflight: 'content',
    title: 'Several question marks',
    cause: 'Rows of question and exclamation marks look like spam.',
    fix: 'Keep one question mark.',
  },
  subject_random_tail: {
    code: 'SJ067',
    severity: 'info',
    preflight: 'content',
    title: 'Random characters in the subject',
    cause: 'Numbers that say nothing at the end of a subject are how spam makes each message differ.',
    fix: 'Leave the number out, or say what it is of.',
  },
  subject_address: {
    code: 'SJ068',
    severity: 'warning',
    preflight: 'content',
    title: 'Email address in the subject',
    cause: 'A subject with the reader’s address is one of phishing, and is read over shoulders.',
    fix: 'Use the name, or nothing.',
  },
  subject_link: {
    code: 'SJ069',
    severity: 'info',
    preflight: 'content',
    title: 'Address of a page in the subject',
    cause: 'Nobody can follow an address in a subject, and filters count it.',
    fix: 'Leave the address to the message.',
  },
});
