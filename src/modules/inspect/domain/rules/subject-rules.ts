/** The subject and the line beside it: codes SJ. */
import { rulesOf } from './rule.js';

export const SUBJECT_RULES = rulesOf('subject', {
  subject_missing: {
    code: 'SJ001',
    severity: 'critical',
    preflight: 'content',
    title: 'Subject missing',
    cause: '',
    fix: 'Store a subject, or give one wherever the template is sent.',
  },
  subject_long: {
    code: 'SJ002',
    severity: 'warning',
    preflight: 'content',
    title: 'Subject long',
    cause: '',
    fix: 'Put what matters first and keep it within 70 characters.',
  },
  subject_capitals: {
    code: 'SJ003',
    severity: 'warning',
    preflight: 'content',
    title: 'Subject capitals',
    cause: '',
    fix: 'Write it in sentence case: capitals look like spam to filters and readers.',
  },
  subject_exclamation: {
    code: 'SJ004',
    severity: 'warning',
    preflight: 'content',
    title: 'Subject exclamation',
    cause: '',
    fix: 'One exclamation mark is plenty.',
  },
  subject_false_reply: {
    code: 'SJ005',
    severity: 'warning',
    preflight: 'content',
    title: 'Subject false reply',
    cause: '',
    fix: 'Leave out Re: and Fwd: it deceives, and filters count it.',
  },
  preheader_missing: {
    code: 'SJ007',
    severity: 'info',
    preflight: 'content',
    title: 'Preheader missing',
    cause: '',
    fix: 'Begin the body with a hidden line that continues the subject.',
  },
});
