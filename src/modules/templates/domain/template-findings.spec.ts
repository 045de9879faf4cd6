import { findProblems, statusOf } from './template-findings.js';
import type { TemplateLanguage } from './template.js';

interface Case {
  readonly name: string;
  readonly subject?: string;
  readonly body?: string;
  readonly language?: TemplateLanguage;
  /** Severity and field of each finding. */
  readonly findings: readonly string[];
}

const CASES: readonly Case[] = [
  { name: 'plain HTML', findings: [] },
  { name: 'an expression', body: '<p>{the user\'s First Name, or "there"}</p>', findings: [] },
  { name: 'CSS and JSON', body: '<style>a { color: red }</style>{"a": 1}', findings: [] },
  {
    name: 'an expression that is not closed',
    body: "<p>{the user's Name</p>",
    findings: ['error body_html'],
  },
  { name: 'a condition that is not closed', body: '{if the A exists}x', findings: ['error body_html'] },
  { name: 'an error in the subject', subject: '{the user\'s Name, or "}', findings: ['error subject'] },
  {
    name: 'errors in both, the subject first',
    subject: '{end if}',
    body: '{end for}',
    findings: ['error subject', 'error body_html'],
  },
  { name: 'a value that is not escaped', body: '{the Note, as "html"}', findings: ['warning body_html'] },
  { name: 'double braces around NLT', body: "{{the user's Name}}", findings: ['warning body_html'] },
  { name: 'Jinja2', body: '<p>{{ contact.first_name }}</p>', findings: ['error body_html'] },
  { name: 'a block of Jinja2', body: '{% if x %}a{% endif %}', findings: ['error body_html'] },
  { name: 'Jinja2 in a template pinned to nlt is text', body: '{{ x }}', language: 'nlt', findings: [] },
  { name: 'a template pinned to jinja2', body: '{{ x }}', language: 'jinja2', findings: ['error body_html'] },
];

describe('findings', () => {
  test.each(CASES)('$name', ({ subject, body, language, findings }) => {
    const content = {
      subject: subject ?? null,
      bodyHtml: body ?? '<p>x</p>',
      templateLanguage: language ?? null,
    };
    expect(findProblems(content).map(({ severity, field }) => `${severity} ${field}`)).toEqual(findings);
  });

  test('name the place and the text', () => {
    const content = { subject: null, bodyHtml: 'a\n <b>{{ contact.name }}</b>', templateLanguage: null };
    expect(findProblems(content)).toMatchObject([{ line: 2, column: 5, block_text: '{{ contact.name }}' }]);
  });

  test('add up to a status', () => {
    const [error] = findProblems({ subject: '{end if}', bodyHtml: 'x', templateLanguage: null });
    if (!error) throw new Error('An error was expected.');
    expect(statusOf([])).toBe('valid');
    expect(statusOf([{ ...error, severity: 'warning' }])).toBe('has_warnings');
    expect(statusOf([{ ...error, severity: 'warning' }, error])).toBe('has_errors');
  });
});
