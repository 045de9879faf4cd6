import { LARGEST_MERGED_PROPERTIES } from './contact-bounds.js';
import { growContact } from './contact-growth.js';
import { newContact, type Contact, type ContactChanges } from './contact.js';
import { replaceContact } from './merge-contact.js';

const NOW = new Date('2026-03-02T09:00:00.000Z');
const LATER = new Date('2026-03-03T09:00:00.000Z');
const contact = (properties: Contact['properties'] = {}): Contact => ({
  ...newContact('id', 'ada', NOW),
  properties,
});
const large = (key: string, bytes = 65_000): ContactChanges => ({ properties: { [key]: 'x'.repeat(bytes) } });

test('changes are joined in their order, and what is not named stays', () => {
  const changes: ContactChanges[] = [
    { firstName: 'Ada', properties: { a: 1, b: 2 } },
    { firstName: null, lastName: 'Lovelace', properties: { b: null, c: { d: 3 } } },
    { properties: { c: 4 } },
  ];
  const grown = growContact(contact({ kept: true }), changes, LATER);
  expect(grown.contact).toMatchObject({ firstName: null, lastName: 'Lovelace', updatedAt: LATER });
  expect(grown.contact.properties).toEqual({ kept: true, a: 1, c: 4 });
  expect(grown.refused.size).toBe(0);
});

test('one that changes nothing is the same contact', () => {
  const before = contact({ a: 1 });
  expect(growContact(before, [{ properties: { a: 1 } }, { properties: { a: 1 } }], LATER).contact).toBe(
    before,
  );
  expect(growContact(before, [], LATER).contact).toBe(before);
});

test.each(['one by one', 'together'])(
  'changes beyond the bound are left out, those behind them are not: %s',
  (how) => {
    const changes = [
      ...Array.from({ length: 6 }, (_, index) => large(`p${index}`)),
      { properties: { last: true } },
    ];
    // Tags cannot be joined to one change.
    const given = how === 'together' ? changes : [{ addTags: ['x'] }, ...changes];
    const { contact: grown, refused } = growContact(contact(), given, NOW);
    expect(Object.keys(grown.properties).sort()).toEqual(['last', 'p0', 'p1', 'p2', 'p3']);
    expect([...refused.keys()]).toEqual(how === 'together' ? [4, 5] : [5, 6]);
    expect(refused.values().next().value).toMatchObject({ field: 'properties' });
  },
);

test('the bound is met to the byte, whether changes come together or one by one', () => {
  const overhead = Buffer.byteLength(JSON.stringify({ a: '', b: 1 }));
  const filling = (more: number): ContactChanges[] => [
    { properties: { a: 'x'.repeat(LARGEST_MERGED_PROPERTIES - overhead + more) } },
    { properties: { b: 1 } },
  ];
  for (const before of [{}, { first: true }] as const) {
    const together = (more: number): number => growContact(contact(), filling(more), NOW).refused.size;
    expect([together(0), together(1)]).toEqual([0, 1]);
    const turns = filling(1).map((change) => growContact(contact(before), [change], NOW).refused.size);
    expect(turns[1]).toBe(0);
  }
});

test('a large value may be replaced and removed on the way', () => {
  const changes = [large('a', 200_000), large('b', 100_000), { properties: { a: null } }];
  changes.push(large('b', 250_000), large('c', 20_000));
  const { contact: grown, refused } = growContact(contact(), changes, NOW);
  expect([...refused.keys()]).toEqual([1, 4]);
  expect(Object.keys(grown.properties)).toEqual(['b']);
});

test('a contact that is too large already may shrink, and not grow', () => {
  const before = contact({ a: 'x'.repeat(300_000), b: 'x'.repeat(300_000) });
  expect(growContact(before, [{ properties: { a: null } }], LATER).contact.properties).not.toHaveProperty(
    'a',
  );
  expect(growContact(before, [{ properties: { c: 1 } }], LATER).refused.size).toBe(1);
  expect(growContact(before, [{ firstName: 'Ada' }], LATER).contact.firstName).toBe('Ada');
});

test('replacing leaves nothing of what was known', () => {
  const grown = growContact(
    contact({ a: 1 }),
    [{ properties: { b: 1 } }, { properties: { c: 1 } }],
    NOW,
    replaceContact,
  );
  expect(grown.contact.properties).toEqual({ c: 1 });
});
