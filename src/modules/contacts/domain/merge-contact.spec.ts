import fc from 'fast-check';
import { newContact, type Contact, type ContactChanges } from './contact.js';
import { mergeContact, mergeProperties } from './merge-contact.js';

const THEN = new Date('2026-01-01T00:00:00Z');
const NOW = new Date('2026-01-02T00:00:00Z');
const contact = newContact('0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee0', 'u1', THEN);

describe('mergeContact', () => {
  const known: Contact = { ...contact, email: 'a@b.co', properties: { plan: 'free', age: 3 }, tags: ['x'] };
  test.each<[string, ContactChanges, Partial<Contact>, string[]]>([
    ['sets a standard field', { first_name: 'Ada' }, { first_name: 'Ada' }, ['first_name']],
    ['clears a standard field with null', { email: null }, { email: null }, ['email']],
    ['says nothing of a field that stays', { email: 'a@b.co' }, {}, []],
    [
      'merges properties one by one',
      { properties: { plan: 'pro' } },
      { properties: { plan: 'pro', age: 3 } },
      ['properties'],
    ],
    [
      'removes a property with null',
      { properties: { plan: null } },
      { properties: { age: 3 } },
      ['properties'],
    ],
    [
      'replaces what is nested, since the merge is shallow',
      { properties: { age: { years: 4 } } },
      { properties: { plan: 'free', age: { years: 4 } } },
      ['properties'],
    ],
    ['replaces tags', { tags: ['y', 'z'] }, { tags: ['y', 'z'] }, ['tags']],
    ['says nothing when nothing is sent', {}, {}, []],
  ])('%s', (_, changes, expected, fields) => {
    const merged = mergeContact(known, changes, NOW);
    const updated_at = fields.length ? NOW : THEN;
    expect(merged.contact).toEqual({ ...known, ...expected, updated_at });
    expect(merged.updatedFields).toEqual(fields);
  });

  test('brings a deleted contact back', () => {
    const merged = mergeContact({ ...known, subscription_status: 'deleted' }, {}, NOW);
    expect(merged.contact.subscription_status).toBe('subscribed');
    expect(merged.updatedFields).toEqual(['subscription_status']);
  });

  test('does not subscribe somebody who has unsubscribed', () => {
    const merged = mergeContact(
      { ...known, subscription_status: 'unsubscribed' },
      { first_name: 'Ada' },
      NOW,
    );
    expect(merged.contact.subscription_status).toBe('unsubscribed');
  });
});

describe('mergeProperties', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue());

  test('the same changes twice are the same as once', () => {
    fc.assert(
      fc.property(object, object, (before, changes) => {
        const once = mergeProperties(before, changes);
        expect(mergeProperties(once, changes)).toEqual(once);
      }),
    );
  });

  test('names that are not in the changes stay, null removes, everything else is set', () => {
    fc.assert(
      fc.property(object, object, (before, changes) => {
        const after = mergeProperties(before, changes);
        for (const key of new Set([...Object.keys(before), ...Object.keys(changes)])) {
          const wanted = Object.hasOwn(changes, key) ? changes[key] : before[key];
          if (Object.hasOwn(changes, key) && wanted === null) expect(Object.hasOwn(after, key)).toBe(false);
          else expect(after[key]).toEqual(wanted);
        }
      }),
    );
  });
});
