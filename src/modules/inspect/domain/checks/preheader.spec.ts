/** The preheader: what is reported, and what is not. */
import { parseSource } from '../../../../language/language.js';
import { readEmail } from '../email/parsed-email.js';
import type { RuleName } from '../rules/catalogue.js';
import { checkPreheaderRepeatsSubject } from './preheader.js';
import { checkEmail } from './source-findings.js';

const found = (html: string): RuleName[] => {
  const { email } = readEmail(html, parseSource(html, null).tree.nodes);
  return email ? checkEmail(email, 'text').map(({ rule }) => rule) : ['too_complex'];
};

test.each<[RuleName, string, string]>([
  [
    'preheader_long',
    `<div style="display:none">${'word '.repeat(31)}</div><p>x</p>`,
    `<div style="display:none">${'word '.repeat(29)}${'&zwnj;&nbsp;'.repeat(90)}</div><p>x</p>`,
  ],
  [
    'preheader_short',
    '<div style="display:none">Soon</div><p>x</p>',
    `<div style="display:none">Soon, {the user's First Name}, very soon, we promise</div><p>x</p>`,
  ],
  [
    'preview_boilerplate',
    '<p>View this email in your browser</p>',
    '<div style="display:none">Spring is here, and with it come new shoes</div><p>View this email in your browser</p>',
  ],
  [
    'preview_boilerplate',
    '<a href="https://a.com">Having trouble viewing this?</a>',
    '<p>Open the door to spring</p>',
  ],
])('%s is found, and not where it is not', (rule, bad, good) => {
  expect(found(bad)).toContain(rule);
  expect(found(good)).not.toContain(rule);
});

test.each<[string | null, string | null, boolean]>([
  ['Spring is here', 'Spring is here!', true],
  ['Spring is here', 'spring is  here, and so are we', true],
  ['Sale', 'Sale of shoes', false],
  ['Spring is here', 'New shoes', false],
  ['Spring is here', null, false],
  [null, null, false],
  ['', '', false],
])('%j beside %j', (subject, preheader, repeats) => {
  expect(checkPreheaderRepeatsSubject(subject, preheader)).toHaveLength(repeats ? 1 : 0);
});
