import { compileContent } from './compiled-content.js';
import { contextOf, hasSample, previewOf, type Preview, type PreviewSample } from './preview.js';

const NOW = new Date('2026-03-02T23:30:00Z');
const EMPTY: PreviewSample = { contact: null, triggerEvent: null, additionalEvents: null };

function preview(
  content: { subject?: string; html?: string; text?: string },
  sample: Partial<PreviewSample> = {},
): Preview {
  const { subject = null, html = 'x', text = 'x' } = content;
  const parts = compileContent({ subject, bodyHtml: html, bodyText: text, templateLanguage: null });
  return previewOf(parts, contextOf({ ...EMPTY, ...sample }, NOW));
}

test('renders all parts', () => {
  const content = {
    subject: "{the user's Name}",
    html: "<p>{the user's Name}</p>",
    text: "{the user's Name}",
  };
  expect(preview(content, { contact: { name: 'A&B' } })).toEqual({
    kind: 'rendered',
    subject: 'A&B',
    html: '<p>A&amp;B</p>',
    text: 'A&B',
  });
});

test('has no subject where none is stored', () => {
  expect(preview({})).toEqual({ kind: 'rendered', subject: null, html: 'x', text: 'x' });
});

test.each([
  ['the time zone', { timezone: 'Europe/Berlin' }, '2026-03-03'],
  ['no time zone', {}, '2026-03-02'],
  ['a time zone that is none', { timezone: 7 }, '2026-03-02'],
])('%s of the contact decides about the day', (_name, contact, day) => {
  expect(preview({ html: '{today, as "yyyy-MM-dd"}' }, { contact })).toMatchObject({ html: day });
});

test.each([
  ['de-DE', '1.234,5'],
  ['en-GB', '1,234.5'],
  [{}, '1,234.5'],
])('the locale %s of the contact decides about numbers', (locale, html) => {
  const contact = { locale, sum: 1234.5 };
  expect(preview({ html: '{the user\'s Sum, as "number"}' }, { contact })).toMatchObject({ html });
});

test('reads the trigger event and the additional events', () => {
  const sample = {
    triggerEvent: { eventName: 'order_placed', attributes: { amount: 5 } },
    additionalEvents: { signed_up: { attributes: { plan: 'pro' } } },
  };
  const html = '{the Amount from the order placed event} {the Plan from the signed up event}';
  expect(preview({ html }, sample)).toMatchObject({ html: '5 pro' });
});

test.each(['subject', 'html', 'text'])('a required field that is missing in the %s suppresses it', (part) => {
  expect(preview({ [part]: "{the user's Address's City, required}" })).toEqual({
    kind: 'suppressed',
    reason: 'missing_required_field: Address.City',
  });
});

test('tells what does not parse, of the text only what the body does not have', () => {
  const failedFields = (content: Parameters<typeof preview>[0]): readonly string[] => {
    const made = preview(content);
    return made.kind === 'failed' ? made.errors.map(({ field }) => field) : [];
  };
  expect(failedFields({ subject: '{end if}', html: '{end if}', text: '{end if}' })).toEqual([
    'subject',
    'body_html',
  ]);
  expect(failedFields({ text: '{end if}' })).toEqual(['body_text']);
});

test('an empty sample is one, no sample is none', () => {
  expect(hasSample(EMPTY)).toBe(false);
  expect(hasSample({ ...EMPTY, contact: {} })).toBe(true);
  expect(hasSample({ ...EMPTY, additionalEvents: {} })).toBe(true);
});
