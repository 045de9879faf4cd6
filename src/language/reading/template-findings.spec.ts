import type { TemplateLanguage } from '../template-language.js';
import { parseSource } from './source-parser.js';
import { findingsIn, findProblems, statusOf } from './template-findings.js';

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
  { name: 'Jinja2 with a counterpart', body: '<p>{{ contact.first_name }}</p>', findings: [] },
  {
    name: 'Jinja2 without a counterpart',
    subject: '{% set a = 1 %}',
    body: '<p>{% set a = 1 %}</p>',
    findings: ['warning subject', 'warning body_html'],
  },
  {
    name: 'Jinja2 in a template pinned to nlt is text',
    body: '{% set a = 1 %}',
    language: 'nlt',
    findings: [],
  },
  {
    name: 'NLT in a template pinned to jinja2 is text',
    body: "{the user's Name",
    language: 'jinja2',
    findings: [],
  },
  {
    name: 'a placeholder in each field',
    subject: 'Hi «name»',
    body: '<p>«greeting»</p>',
    findings: ['error subject', 'error body_html'],
  },
  { name: 'a lone guillemet', body: '<p>«greeting</p>', findings: ['error body_html'] },
  { name: 'guillemets as entities', body: '<p>&laquo;greeting&raquo; &#171;</p>', findings: [] },
  {
    name: 'a placeholder beside other findings, in the order of the source',
    body: '{the Note, as "html"} «x» {end if}',
    findings: ['warning body_html', 'error body_html', 'error body_html'],
  },
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

  test('of Jinja2 name the place and the text', () => {
    const content = { subject: null, bodyHtml: 'a\n <b>{% set a = 1 %}</b>', templateLanguage: null };
    expect(findProblems(content)).toMatchObject([
      { severity: 'warning', line: 2, column: 5, blockText: '{% set a = 1 %}' },
    ]);
  });

  test('of placeholders name field, place and token', () => {
    const content = { subject: 'Hi «name»', bodyHtml: 'a\n <b>« x</b>', templateLanguage: null };
    expect(findProblems(content)).toEqual([
      {
        severity: 'error',
        field: 'subject',
        message: expect.stringContaining('subject'),
        blockText: '«name»',
        line: 1,
        column: 4,
      },
      {
        severity: 'error',
        field: 'body_html',
        message: expect.stringContaining('body'),
        blockText: '«',
        line: 2,
        column: 5,
      },
    ]);
  });

  test('of what a sample lacks are told only when one is given', () => {
    const reading = parseSource("{the user's Name}", null);
    expect(findingsIn('body_html', "{the user's Name}", reading)).toEqual([]);
    const sample = { contact: {}, now: new Date('2026-03-02T09:00:00Z') };
    expect(findingsIn('body_html', "{the user's Name}", reading, sample)).toMatchObject([
      { severity: 'warning', blockText: "{the user's Name}" },
    ]);
  });

  test('add up to a status', () => {
    const [error] = findProblems({ subject: '{end if}', bodyHtml: 'x', templateLanguage: null });
    if (!error) throw new Error('An error was expected.');
    expect(statusOf([])).toBe('valid');
    expect(statusOf([{ ...error, severity: 'warning' }])).toBe('has_warnings');
    expect(statusOf([{ ...error, severity: 'warning' }, error])).toBe('has_errors');
  });
});
