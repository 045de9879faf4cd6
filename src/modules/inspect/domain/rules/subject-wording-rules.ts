/** Rules about the words and symbols of the subject: codes SJ from 060. */
import { rulesOf } from './rule.js';

export const SUBJECT_WORDING_RULES = rulesOf('subject', {
  subject_spam_phrase: {
    code: 'SJ060',
    severity: 'warning',
    preflight: 'content',
    title: 'Spam phrase in the subject',
    cause: 'Filters weigh such phrases in the subject more than in the body.',
    fix: 'Say what the message is about in plain words.',
  },
  subject_currency: {
    code: 'SJ061',
    severity: 'info',
    preflight: 'content',
    title: 'Currency signs in the subject',
    cause: 'Several currency signs or large sums in a subject are typical of spam.',
    fix: 'Mention the sum only in the message.',
  },
  subject_name_missing: {
    code: 'SJ062',
    severity: 'warning',
    preflight: 'content',
    title: 'Missing name in a greeting',
    cause: 'A greeting without a name shows that a value is missing.',
    fix: 'Give the value a fallback.',
  },
  subject_symbols: {
    code: 'SJ063',
    severity: 'info',
    preflight: 'content',
    title: 'Too many symbols in the subject',
    cause: 'Stars, arrows and emoji that replace words look like spam.',
    fix: 'Use at most one symbol.',
  },
  subject_question_marks: {
    code: 'SJ066',
    severity: 'info',
    preflight: 'content',
    title: 'Repeated question marks',
    cause: 'Repeated question and exclamation marks look like spam.',
    fix: 'Use one question mark.',
  },
  subject_random_tail: {
    code: 'SJ067',
    severity: 'info',
    preflight: 'content',
    title: 'Random characters in the subject',
    cause: 'Spam adds random numbers to the subject to make each message different.',
    fix: 'Remove the number, or say what it refers to.',
  },
  subject_address: {
    code: 'SJ068',
    severity: 'warning',
    preflight: 'content',
    title: 'Email address in the subject',
    cause: 'A subject with the reader’s address is typical of phishing, and others may see it.',
    fix: 'Use the reader’s name, or nothing.',
  },
  subject_link: {
    code: 'SJ069',
    severity: 'info',
    preflight: 'content',
    title: 'URL in the subject',
    cause: 'Readers cannot follow a URL in a subject, and filters count it.',
    fix: 'Put the URL in the message.',
  },
});
