import fc from 'fast-check';
import { DomainError } from '../../../kernel/domain-error.js';
import {
  CONTACT_SORTS,
  contactCursor,
  parseContactCursor,
  type ContactOrder,
  type ContactSort,
} from './contact-order.js';
import { newContact, type Contact } from './contact.js';

const ID = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee0';
const contact: Contact = {
  ...newContact(ID, 'U1', new Date('2026-01-01T00:00:00Z')),
  email: 'Ada@Example.com',
  firstName: 'ÅDA',
  updatedAt: new Date('2026-01-02T03:04:05.678Z'),
};
const order = (by: ContactSort): ContactOrder => ({ by, order: 'asc' });
const encoded = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

describe('cursors', () => {
  test.each<[ContactSort, string]>([
    ['createdAt', ''],
    ['updatedAt', '2026-01-02T03:04:05.678Z'],
    ['email', 'Ada@Example.com'],
    ['externalId', 'U1'],
    ['firstName', 'ÅDA'],
    ['lastName', ''],
  ])('by %s name the key %j', (by, key) => {
    expect(parseContactCursor(contactCursor(contact, order(by)), order(by))).toEqual({ key, id: ID });
  });

  test('whatever the name, its place is read as it was written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        fc.pre(!name.includes('\0'));
        const place = parseContactCursor(
          contactCursor({ ...contact, lastName: name }, order('lastName')),
          order('lastName'),
        );
        expect(place).toEqual({ key: name, id: ID });
      }),
    );
  });

  test.each<[string, string, ContactSort]>([
    ['no JSON', encoded('nonsense'), 'email'],
    ['no list', encoded({ by: 'email' }), 'email'],
    ['null', encoded(null), 'email'],
    ['another order', contactCursor(contact, order('email')), 'firstName'],
    ['no id', encoded(['contacts by email', 'a', 'x']), 'email'],
    ['no key', encoded(['contacts by email', 7, ID]), 'email'],
    ['a NUL', encoded(['contacts by email', 'a\0', ID]), 'email'],
    ['no moment', encoded(['contacts by updatedAt', 'yesterday', ID]), 'updatedAt'],
    [
      'a moment that is none',
      encoded(['contacts by updatedAt', '2026-99-99T00:00:00.000Z', ID]),
      'updatedAt',
    ],
  ])('that are %s are refused', (_, cursor, by) => {
    expect(() => parseContactCursor(cursor, order(by))).toThrow(DomainError);
  });

  test('any text is a place or a refusal', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), fc.constantFrom(...CONTACT_SORTS), (text, json, by) => {
        // An empty text is no position: it means the beginning.
        fc.pre(text !== '' && json !== '');
        for (const cursor of [text, encoded(json)])
          expect(() => parseContactCursor(cursor, order(by))).toThrow(DomainError);
      }),
    );
  });
});
