import fc from 'fast-check';
import { newContact, type Contact, type ContactChanges } from './contact.js';
import { mergeContact, mergeProperties, mergeTags, replaceContact } from './merge-contact.js';

const THEN = new Date('2026-01-01T00:00:00Z');
const NOW = new Date('2026-01-02T00:00:00Z');
const contact = newContact('0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee0', 'u1', THEN);

describe('mergeContact', () => {
  const known: Contact = { ...contact, email: 'a@b.co', properties: { plan: 'free', age: 3 }, tags: ['x'] };
  test.each<[string, ContactChanges, Partial<Contact>, string[]]>([
    ['sets a standard field', { firstName: 'Ada' }, { firstName: 'Ada' }, ['firstName']],
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
    [
      'keeps nulls that are nested, since they are part of a value',
      { properties: { age: { years: null } } },
      { properties: { plan: 'free', age: { years: null } } },
      ['properties'],
    ],
    ['says nothing of a null for what is not there', { properties: { colour: null } }, {}, []],
    ['adds tags', { addTags: ['y', 'x'] }, { tags: ['x', 'y'] }, ['tags']],
    ['removes tags', { removeTags: ['x', 'y'] }, { tags: [] }, ['tags']],
    ['replaces tags', { tags: ['y', 'z'] }, { tags: ['y', 'z'] }, ['tags']],
    ['says nothing when nothing is sent', {}, {}, []],
  ])('%s', (_, changes, expected, fields) => {
    const merged = mergeContact(known, changes, NOW);
    const updatedAt = fields.length ? NOW : THEN;
    expect(merged.contact).toEqual({ ...known, ...expected, updatedAt });
    expect(merged.updatedFields).toEqual(fields);
  });

  test('brings a deleted contact back', () => {
    const merged = mergeContact({ ...known, subscriptionStatus: 'deleted' }, {}, NOW);
    expect(merged.contact.subscriptionStatus).toBe('subscribed');
    expect(merged.updatedFields).toEqual(['subscriptionStatus']);
  });

  test('does not subscribe somebody who has unsubscribed', () => {
    const merged = mergeContact({ ...known, subscriptionStatus: 'unsubscribed' }, { firstName: 'Ada' }, NOW);
    expect(merged.contact.subscriptionStatus).toBe('unsubscribed');
  });
});

describe('replaceContact', () => {
  const known: Contact = {
    ...contact,
    email: 'a@b.co',
    phone: '1',
    properties: { plan: 'free', age: 3 },
    tags: ['x'],
  };

  test('clears what is not named, and keeps the record’s own', () => {
    const changes = { firstName: 'Ada', properties: { plan: 'pro', age: null } };
    const { contact: replaced, updatedFields } = replaceContact(known, changes, NOW);
    expect(replaced).toEqual({
      ...contact,
      firstName: 'Ada',
      properties: { plan: 'pro' },
      updatedAt: NOW,
    });
    expect([...updatedFields].sort()).toEqual(['email', 'firstName', 'phone', 'properties', 'tags']);
  });

  test('by the same changes is nothing new, and the tag operators begin with an empty list', () => {
    const changes = { email: 'a@b.co', addTags: ['y', 'z'], removeTags: ['z'] };
    const once = replaceContact(known, changes, NOW);
    expect(once.contact.tags).toEqual(['y']);
    expect(replaceContact(once.contact, changes, NOW).updatedFields).toEqual([]);
  });

  test('neither subscribes nor moves an unsubscribed contact, and brings a deleted one back', () => {
    const status = (before: Contact['subscriptionStatus']): string =>
      replaceContact({ ...known, subscriptionStatus: before }, {}, NOW).contact.subscriptionStatus;
    expect([status('unsubscribed'), status('deleted')]).toEqual(['unsubscribed', 'subscribed']);
  });
});

describe('mergeTags', () => {
  const tags = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 6 });
  const changes = fc.record({ tags, addTags: tags, removeTags: tags }, { requiredKeys: [] });

  test('replaces, then adds, then removes; each tag once', () => {
    expect(mergeTags(['a', 'b'], { tags: ['c', 'c'], addTags: ['d', 'e'], removeTags: ['e', 'c'] })).toEqual([
      'd',
    ]);
  });

  test('the same change twice is the same as once', () => {
    fc.assert(
      fc.property(tags, changes, (own, change) => {
        const once = mergeTags([...new Set(own)], change);
        expect(mergeTags(once, change)).toEqual(once);
        expect(new Set(once).size).toBe(once.length);
      }),
    );
  });

  test('added is there and removed is not, whatever was before', () => {
    fc.assert(
      fc.property(tags, changes, (own, change) => {
        const merged = new Set(mergeTags([...new Set(own)], change));
        const removed = new Set(change.removeTags ?? []);
        for (const tag of removed) expect(merged.has(tag)).toBe(false);
        for (const tag of change.addTags ?? []) expect(merged.has(tag)).toBe(!removed.has(tag));
      }),
    );
  });
});

describe('merging', () => {
  const value = fc.oneof(
    fc.constant(null),
    fc.integer(),
    fc.string(),
    fc.dictionary(fc.string(), fc.jsonValue()),
  );
  const fields = fc.record(
    {
      email: fc.constantFrom(null, 'a@b.co', 'c@d.co'),
      firstName: fc.option(fc.string()),
      properties: fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), value),
      tags: fc.uniqueArray(fc.constantFrom('x', 'y', 'z')),
    },
    { requiredKeys: [] },
  );
  /** Combines two changes: the later one wins per name; nulls are kept, since they still remove. */
  const both = (a: ContactChanges, b: ContactChanges): ContactChanges => ({
    ...a,
    ...b,
    ...(a.properties && b.properties
      ? {
          properties: Object.fromEntries([...Object.entries(a.properties), ...Object.entries(b.properties)]),
        }
      : {}),
  });
  const state = fc.record({
    properties: fc
      .dictionary(fc.constantFrom('a', 'b', 'd'), value)
      .map((properties) => mergeProperties({}, properties)),
    tags: fc.uniqueArray(fc.constantFrom('x', 'y', 'z')),
  });

  test('one change after the other is the same as both at once, and as both grouped otherwise', () => {
    fc.assert(
      fc.property(state, fields, fields, fields, (before, a, b, c) => {
        const merge = (start: Contact, ...list: ContactChanges[]): Contact =>
          list.reduce((known, changes) => mergeContact(known, changes, NOW).contact, start);
        const start = { ...contact, ...before };
        const { updatedAt: _, ...apart } = merge(start, a, b, c);
        for (const together of [
          [both(both(a, b), c)],
          [both(a, both(b, c))],
          [both(a, b), c],
          [a, both(b, c)],
        ]) {
          const { updatedAt: __, ...joined } = merge(start, ...together);
          expect(joined).toEqual(apart);
        }
      }),
    );
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
