import { DomainError } from '../../../kernel/domain-error.js';
import { readInput } from '../../../platform/input/read-input.js';
import type { PreviewQuery } from '../domain/preview.js';
import { PreviewContextArgs, PreviewContextQuery, previewQueryOf } from './preview-context.input.js';

const ofQuery = (query: object): PreviewQuery =>
  previewQueryOf(readInput(PreviewContextQuery, query, 'query'), 'query');
const ofArgs = (args: object): PreviewQuery =>
  previewQueryOf(readInput(PreviewContextArgs, args, 'graphql'), 'graphql');
const MANY = Array.from({ length: 51 }, (_, index) => `event_${index}`);

test('reads names and identifier; what is empty is none', () => {
  const read = { eventName: 'order_placed', additionalEvents: ['signed_up', 'moved'], contactId: 'u1' };
  const additional_events = 'signed_up, signed_up,,moved';
  expect(ofQuery({ event_name: ' order_placed ', additional_events, contact_id: 'u1' })).toEqual(read);
  const additionalEvents = ['signed_up', ' signed_up', '', 'moved'];
  expect(ofArgs({ eventName: ' order_placed ', additionalEvents, contactId: 'u1' })).toEqual(read);
  const nothing = { eventName: null, additionalEvents: [], contactId: null };
  expect(ofQuery({ event_name: '', additional_events: '', contact_id: '' })).toEqual(nothing);
  expect(ofQuery({})).toEqual(nothing);
  expect(ofArgs({ eventName: null, additionalEvents: null, contactId: null })).toEqual(nothing);
});

test.each([
  ['a name in capitals', () => ofQuery({ event_name: 'Order' }), 'invalid_event_name'],
  ['an additional name in capitals', () => ofQuery({ additional_events: 'ok,Not' }), 'invalid_event_name'],
  ['an additional name with NUL', () => ofArgs({ additionalEvents: ['a\0'] }), 'invalid_event_name'],
  ['more names than anybody needs', () => ofQuery({ additional_events: MANY.join() }), 'additional_events:'],
  ['as many by GraphQL', () => ofArgs({ additionalEvents: MANY }), 'additionalEvents:'],
  ['an id that nobody has', () => ofArgs({ contactId: 'x'.repeat(256) }), 'contactId:'],
])('refuses %s', (_name, read, code) => {
  expect(read).toThrow(DomainError);
  expect(read).toThrow(code);
});
