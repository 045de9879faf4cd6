import { DomainError } from '../../../kernel/domain-error.js';
import { MAX_BULK_CONTACTS, readBulk, readBulkItem } from './read-bulk.js';

const contacts = (count: number): object[] =>
  Array.from({ length: count }, (_, i) => ({ external_id: `u${i}` }));

test.each<[unknown, 'merge' | 'replace']>([
  [undefined, 'merge'],
  ['merge', 'merge'],
  ['update', 'merge'],
  ['replace', 'replace'],
])('on_conflict %j means %s', (on_conflict, expected) => {
  expect(readBulk({ contacts: contacts(1), on_conflict }).onConflict).toBe(expected);
});

test('items are handed on as they came, to be judged one by one', () => {
  expect(readBulk({ contacts: [null, 7, {}] }).contacts).toEqual([null, 7, {}]);
  expect(readBulk({ contacts: contacts(MAX_BULK_CONTACTS) }).contacts).toHaveLength(MAX_BULK_CONTACTS);
});

test.each<[string, unknown, string, string | undefined]>([
  ['no object', [], 'validation_error', undefined],
  ['no body', undefined, 'validation_error', undefined],
  ['no contacts', {}, 'validation_error', 'contacts'],
  ['no list', { contacts: {} }, 'invalid_field', 'contacts'],
  ['null', { contacts: null }, 'invalid_field', 'contacts'],
  ['an empty list', { contacts: [] }, 'invalid_field', 'contacts'],
  ['too many', { contacts: contacts(MAX_BULK_CONTACTS + 1) }, 'invalid_field', 'contacts'],
  ['another on_conflict', { contacts: contacts(1), on_conflict: 'skip' }, 'invalid_field', 'on_conflict'],
  ['no on_conflict', { contacts: contacts(1), on_conflict: null }, 'invalid_field', 'on_conflict'],
  ['an unknown field', { contacts: contacts(1), dry_run: true }, 'invalid_field', 'dry_run'],
])('refuses %s', (_, input, code, field) => {
  let refusal: unknown;
  try {
    readBulk(input);
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(DomainError);
  const { code: given, fields } = refusal as DomainError;
  expect([given, fields.errors?.[0]?.field]).toEqual([code, field]);
});

test.each([
  '{"external_id":"u1","properties":{"__proto__":{"a":1}}}',
  '{"external_id":"u1","__proto__":{}}',
  '{"external_id":"u1","properties":{"constructor":{"prototype":1}}}',
  `{"external_id":"u1","properties":${'{"a":'.repeat(70)}1${'}'.repeat(70)}}`,
])('an item that nobody may take is refused: %s', (text) => {
  expect(() => readBulkItem(JSON.parse(text))).toThrow(expect.objectContaining({ code: 'validation_error' }));
  expect(readBulkItem({ external_id: 'u1' })).toEqual({ externalId: 'u1', changes: {} });
});
