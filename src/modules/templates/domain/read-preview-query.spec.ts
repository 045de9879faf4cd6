import { DomainError } from '../../../kernel/domain-error.js';
import { readPreviewQuery } from './read-preview-query.js';

test('reads names and identifier; what is empty is none', () => {
  expect(readPreviewQuery(' order_placed ', ['signed_up', ' signed_up', '', 'moved'], 'u1')).toEqual({
    eventName: 'order_placed',
    additionalEvents: ['signed_up', 'moved'],
    contactId: 'u1',
  });
  const nothing = { eventName: null, additionalEvents: [], contactId: null };
  expect(readPreviewQuery('', [''], '')).toEqual(nothing);
  expect(readPreviewQuery(undefined, undefined, undefined)).toEqual(nothing);
  expect(readPreviewQuery(null, null, null)).toEqual(nothing);
});

test.each([
  ['a name in capitals', () => readPreviewQuery('Order', null, null), 'invalid_event_name'],
  ['an additional name with NUL', () => readPreviewQuery(null, ['a\0'], null), 'invalid_event_name'],
  [
    'more names than anybody needs',
    () =>
      readPreviewQuery(
        null,
        Array.from({ length: 51 }, (_, index) => `event_${index}`),
        null,
      ),
    'invalid_field',
  ],
])('refuses %s', (_name, read, code) => {
  expect(read).toThrow(DomainError);
  expect(read).toThrow(code);
});
