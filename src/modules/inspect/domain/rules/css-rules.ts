/** What mail programs drop or misread of styles: codes CS. */
import { rulesOf } from './rule.js';

export const CSS_RULES = rulesOf('css', {
  css_invalid: {
    code: 'CS001',
    severity: 'warning',
    preflight: 'content',
    title: 'Css invalid',
    cause: '',
    fix: 'Correct the style: clients ignore what they cannot read.',
  },
  css_too_much: {
    code: 'CS002',
    severity: 'info',
    preflight: 'content',
    title: 'Css too much',
    cause: '',
    fix: 'Shorten the styles; those beyond the limit were not examined.',
  },
  css_dropped_by_gmail: {
    code: 'CS003',
    severity: 'warning',
    preflight: 'content',
    title: 'Css dropped by gmail',
    cause: '',
    fix: 'Keep all <style> together under 16 KB, or move styles into style attributes.',
  },
  client_support_poor: {
    code: 'CS004',
    severity: 'warning',
    preflight: 'content',
    title: 'Client support poor',
    cause: '',
    fix: 'Make sure that the message reads well without it.',
  },
  client_support_partial: {
    code: 'CS005',
    severity: 'info',
    preflight: 'content',
    title: 'Client support partial',
    cause: '',
    fix: 'Look at the message in the clients named.',
  },
});
