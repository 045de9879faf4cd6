import { DomainError } from '../../../kernel/domain-error.js';
import { readInput } from '../../../platform/input/read-input.js';
import type { PreviewSample } from '../domain/preview.js';
import { InlineContentInput, inlineContentOf, PreviewInput, sampleOf } from './preview.input.js';

const readInline = (input: unknown, face: 'body' | 'graphql' = 'body'): unknown =>
  inlineContentOf(readInput(InlineContentInput, input, face));
const readSample = (input: unknown): PreviewSample => sampleOf(readInput(PreviewInput, input, 'body'));

function refusalOf(read: () => unknown): string {
  try {
    read();
    return 'none';
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return [error.code, ...(error.fields.errors ?? []).map(({ field }) => field)].join(' ');
  }
}

const CASES: readonly [name: string, input: unknown, refusal: string][] = [
  ['nothing', {}, 'none'],
  ['no body at all', undefined, 'none'],
  ['null', null, 'validation_error'],
  ['a list', [], 'validation_error'],
  ['a text', 'x', 'validation_error'],
  [
    'nulls',
    { contact: null, trigger_event: null, additional_events: null, subject: null, body_html: null },
    'none',
  ],
  ['a subject of 255 emoji', { subject: '😀'.repeat(255) }, 'none'],
  ['a subject of 256 emoji', { subject: '😀'.repeat(256) }, 'invalid_field subject'],
  ['a subject with NUL', { subject: 'a\0' }, 'invalid_field subject'],
  ['a subject with half a character', { subject: 'a\udc00' }, 'invalid_field subject'],
  ['a body with NUL', { body_html: '<p>\0</p>' }, 'invalid_field body_html'],
  ['a body with half a character', { body_html: '\ud800' }, 'invalid_field body_html'],
  ['an unknown field', { colour: 'red' }, 'invalid_field colour'],
  ['a pin, which is a field of templates', { template_language: 'nlt' }, 'invalid_field template_language'],
  ['a contact that is a list', { contact: [] }, 'invalid_field contact'],
  ['a contact that is a text', { contact: 'u1' }, 'invalid_field contact'],
  ['a trigger event that is a text', { trigger_event: 'x' }, 'invalid_field trigger_event'],
  [
    'members of an event',
    { trigger_event: { event_name: 7, attributes: 'x', attribute: {} } },
    'invalid_field trigger_event.event_name trigger_event.attributes trigger_event.attribute',
  ],
  ['an event with its moment', { trigger_event: { occurred_at: '2026-03-02T09:00:00Z' } }, 'none'],
  ['additional events as a text', { additional_events: 'x' }, 'invalid_field additional_events'],
  [
    'an additional event that is a text',
    { additional_events: { a: 'x' } },
    'invalid_field additional_events.a',
  ],
  [
    'attributes that are not under attributes',
    { additional_events: { a: { plan: 'pro' } } },
    'invalid_field additional_events.a.plan',
  ],
  [
    'a list of additional events without names',
    { additional_events: [{ attributes: {} }, 7, null] },
    'invalid_field additional_events[0].event_name additional_events[1] additional_events[2]',
  ],
  ['a subject that is a number', { subject: 7 }, 'invalid_field subject'],
  ['a subject of 255 characters', { subject: 'x'.repeat(255) }, 'none'],
  ['a subject of 256 characters', { subject: 'x'.repeat(256) }, 'invalid_field subject'],
  ['a body that is a list', { body_html: [] }, 'invalid_field body_html'],
  ['an empty body', { body_html: '' }, 'none'],
  ['a body of 2 MB', { body_html: 'é'.repeat(1_048_576) }, 'none'],
  ['a body of a byte more', { body_html: 'é'.repeat(1_048_576) + 'x' }, 'invalid_field body_html'],
  ['several at once', { contact: 1, subject: 2 }, 'invalid_field contact subject'],
];

test.each(CASES)('%s', (_name, input, refusal) => {
  expect(refusalOf(() => readInline(input))).toBe(refusal);
});

test('GraphQL is told of its own names, and of those of REST in what it has as JSON', () => {
  const input = { bodyHtml: 7, triggerEvent: { event_name: 7 }, additionalEvents: { a: { plan: 'pro' } } };
  expect(refusalOf(() => readInline(input, 'graphql'))).toBe(
    'invalid_field bodyHtml triggerEvent.event_name additionalEvents.a.plan',
  );
  expect(refusalOf(() => readInline({ body_html: 'x' }, 'graphql'))).toBe('invalid_field body_html');
});

test('a preview of a saved template takes no content', () => {
  expect(refusalOf(() => readSample({ subject: 'x', body_html: 'x' }))).toBe(
    'invalid_field subject body_html',
  );
});

test('tells of a hundred errors at most', () => {
  const refusal = refusalOf(() => readSample({ additional_events: Array(5_000).fill(7) }));
  expect(refusal.split(' ')).toHaveLength(101);
});

test('reads additional events from a map and from a list alike', () => {
  const map = readSample({ additional_events: { signed_up: { attributes: { plan: 'pro' } }, moved: null } });
  const list = readSample({
    additional_events: [
      { event_name: 'signed_up', attributes: { plan: 'free' } },
      { event_name: 'signed_up', attributes: { plan: 'pro' } },
    ],
  });
  expect(map.additionalEvents).toEqual({ signed_up: { attributes: { plan: 'pro' } } });
  expect(list).toEqual(map);
});

test('a name such as __proto__ is a name', () => {
  const { additionalEvents } = readSample({
    additional_events: [{ event_name: '__proto__', attributes: { a: 1 } }],
  });
  expect(Object.getPrototypeOf(additionalEvents)).toBe(Object.prototype);
  expect(Object.keys(additionalEvents ?? {})).toEqual(['__proto__']);
});
