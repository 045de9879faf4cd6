import { newTemplate } from '../../templates/domain/new-template.js';
import type { Template } from '../../templates/domain/template.js';
import type { NewStep } from './step.js';
import { templateErrors, templateProblems, templateSlugs } from './template-problems.js';

function template(slug: string, bodyHtml: string): Template {
  return newTemplate({ name: slug, slug, bodyHtml }, slug, new Date('2026-03-02T09:00:00Z'));
}

const send = (slug: string, subject?: string): NewStep => ({
  type: 'send_email',
  templateSlug: slug,
  ...(subject === undefined ? {} : { subject }),
});
const GOOD = template('good', '{the Note, as "html"}');
const BROKEN = template('broken', '<p>{if the A exists}</p>');

test('slugs come once, in the order of the steps', () => {
  expect(templateSlugs([send('b'), { type: 'wait', duration: '1d' }, send('a'), send('b')])).toEqual([
    'b',
    'a',
  ]);
});

test('a template with warnings alone is none to fix', () => {
  expect(templateProblems([send('good')], [GOOD])).toEqual([]);
});

test('a missing template, with all of its steps', () => {
  expect(templateProblems([send('gone'), send('good'), send('gone')], [GOOD])).toEqual([
    { slug: 'gone', reason: 'not_found', paths: ['steps[0]', 'steps[2]'], steps: [0, 2], findings: [] },
  ]);
});

test('a template with syntax errors, with what was found', () => {
  expect(templateProblems([send('broken')], [BROKEN])).toMatchObject([
    {
      slug: 'broken',
      reason: 'syntax_errors',
      steps: [0],
      findings: [{ severity: 'error', field: 'body_html' }],
    },
  ]);
});

test("a step's own subject with a syntax error", () => {
  expect(templateProblems([send('good', '{end if}')], [GOOD])).toMatchObject([
    {
      slug: 'good',
      reason: 'syntax_errors',
      steps: [0],
      findings: [{ severity: 'error', field: 'subject' }],
    },
  ]);
});

test('a template that is not active', () => {
  const inactive = { ...GOOD, isActive: false };
  expect(templateProblems([send('good')], [inactive])).toEqual([
    { slug: 'good', reason: 'inactive', paths: ['steps[0]'], steps: [0], findings: [] },
  ]);
  // Of two reasons, the less visible one is reported.
  expect(templateProblems([send('broken')], [{ ...BROKEN, isActive: false }])).toMatchObject([
    { slug: 'broken', reason: 'syntax_errors' },
  ]);
});

test('the refusal names templates and steps', () => {
  const off = { ...GOOD, isActive: false };
  const error = templateErrors(templateProblems([send('gone'), send('broken'), send('good')], [BROKEN, off]));
  expect(error.code).toBe('template_errors');
  expect(error.detail).toMatch(/gone, broken, good/);
  expect(error.fields.errors).toEqual([
    { field: 'steps[0].template_slug', message: 'no template has the slug gone' },
    { field: 'steps[1].template_slug', message: 'the template broken has syntax errors' },
    { field: 'steps[2].template_slug', message: 'the template good is inactive' },
  ]);
  // With the member names of REST.
  expect(error.fields['templates']).toMatchObject([
    { slug: 'gone', findings: [] },
    { slug: 'broken', findings: [{ field: 'body_html', block_text: expect.any(String) }] },
    { slug: 'good', findings: [] },
  ]);
});
