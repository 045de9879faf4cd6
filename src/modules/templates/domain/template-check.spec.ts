import type { TemplateLanguage } from '../../../language/language.js';
import { readInput } from '../../../platform/input/read-input.js';
import { InlineContentInput, inlineContentOf } from '../input/preview.input.js';
import { checkTemplate, type TemplateCheck } from './template-check.js';

function check(input: unknown, language: TemplateLanguage | null = null): TemplateCheck {
  return checkTemplate(
    { ...inlineContentOf(readInput(InlineContentInput, input, 'body')), templateLanguage: language },
    new Date('2026-03-02T09:00:00Z'),
  );
}

test('of nothing finds nothing', () => {
  expect(check({})).toEqual({
    valid: true,
    issues: [],
    subject: null,
    html: null,
    suppressedReason: null,
    exceedsWorkLimit: false,
  });
});

test('renders what is given', () => {
  const input = {
    subject: "Hi {the user's Name}",
    body_html: "<p>{the user's Name}</p>",
    contact: { name: 'A&B' },
  };
  expect(check(input)).toMatchObject({ valid: true, issues: [], subject: 'Hi A&B', html: '<p>A&amp;B</p>' });
});

test('warns of what the sample lacks, and not without a sample', () => {
  const body = { body_html: "<p>{the user's Name}</p>" };
  expect(check(body).issues).toEqual([]);
  for (const sample of [{ contact: {} }, { trigger_event: {} }, { additional_events: {} }]) {
    expect(check({ ...body, ...sample })).toMatchObject({
      valid: true,
      issues: [{ severity: 'warning', field: 'body_html', blockText: "{the user's Name}" }],
      html: '<p></p>',
    });
  }
});

test('a part with errors is not rendered, the other one is', () => {
  expect(check({ subject: '{end if}', body_html: 'x' })).toMatchObject({
    valid: false,
    issues: [{ severity: 'error', field: 'subject' }],
    subject: null,
    html: 'x',
  });
});

test('a placeholder is an error, and is shown', () => {
  expect(check({ body_html: 'Hi «name»' })).toMatchObject({ valid: false, html: 'Hi «name»' });
});

test('a required field that is missing suppresses the whole message', () => {
  expect(check({ subject: 'x', body_html: "{the user's Name, required}", contact: {} })).toMatchObject({
    valid: true,
    subject: null,
    html: null,
    suppressedReason: 'missing_required_field: Name',
  });
});

test('what is too much to render is an error', () => {
  const input = {
    body_html: '{for each A in the Items}{for each B in the Items}{end for}{end for}',
    trigger_event: { attributes: { items: Array(200).fill(1) } },
  };
  expect(check(input)).toMatchObject({
    valid: false,
    issues: [{ severity: 'error', field: 'body_html', message: expect.stringContaining('10000') }],
    html: null,
  });
});

test('a pin is kept to', () => {
  expect(check({ body_html: '{{ contact.name }}', contact: { name: 'Ada' } }, 'nlt').html).toBe(
    '{{ contact.name }}',
  );
  expect(check({ body_html: '{{ contact.name }}', contact: { name: 'Ada' } }).html).toBe('Ada');
});
