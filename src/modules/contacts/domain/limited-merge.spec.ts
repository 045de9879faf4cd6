import fc from 'fast-check';
import { runs } from '../../../../test/support/test-scope.js';
import type { FieldError } from '../../../kernel/domain-error.js';
import { sameJson, type JsonObject } from '../../../kernel/json.js';
import { MAX_MERGED_PROPERTIES_BYTES, exceededLimit, type ContactSize } from './contact-size.js';
import { mergeWithinLimits, type LimitedMerge, type MergeMode } from './limited-merge.js';
import { STANDARD_FIELDS, newContact, type Contact, type ContactChanges } from './contact.js';
import { mergeContact, replaceContact } from './merge-contact.js';

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
  const grown = mergeWithinLimits(contact({ kept: true }), changes, LATER);
  expect(grown.contact).toMatchObject({ firstName: null, lastName: 'Lovelace', updatedAt: LATER });
  expect(grown.contact.properties).toEqual({ kept: true, a: 1, c: 4 });
  expect(grown.rejected.size).toBe(0);
});

test('one that changes nothing is the same contact', () => {
  const before = contact({ a: 1 });
  expect(mergeWithinLimits(before, [{ properties: { a: 1 } }, { properties: { a: 1 } }], LATER).contact).toBe(
    before,
  );
  expect(mergeWithinLimits(before, [], LATER).contact).toBe(before);
});

test.each(['one by one', 'together'])(
  'changes beyond the bound are left out, those behind them are not: %s',
  (how) => {
    const changes = [
      ...Array.from({ length: 6 }, (_, index) => large(`p${index}`)),
      { properties: { last: true } },
    ];
    // Changes of tags cannot be combined into one.
    const given = how === 'together' ? changes : [{ addTags: ['x'] }, ...changes];
    const { contact: grown, rejected: rejected } = mergeWithinLimits(contact(), given, NOW);
    expect(Object.keys(grown.properties).sort()).toEqual(['last', 'p0', 'p1', 'p2', 'p3']);
    expect([...rejected.keys()]).toEqual(how === 'together' ? [4, 5] : [5, 6]);
    expect(rejected.values().next().value).toMatchObject({ field: 'properties' });
  },
);

test('the bound is met to the byte, whether changes come together or one by one', () => {
  const overhead = Buffer.byteLength(JSON.stringify({ a: '', b: 1 }));
  const filling = (more: number): ContactChanges[] => [
    { properties: { a: 'x'.repeat(MAX_MERGED_PROPERTIES_BYTES - overhead + more) } },
    { properties: { b: 1 } },
  ];
  for (const before of [{}, { first: true }] as const) {
    const together = (more: number): number => mergeWithinLimits(contact(), filling(more), NOW).rejected.size;
    expect([together(0), together(1)]).toEqual([0, 1]);
    const rejectedCounts = filling(1).map(
      (change) => mergeWithinLimits(contact(before), [change], NOW).rejected.size,
    );
    expect(rejectedCounts[1]).toBe(0);
  }
});

test('a large value may be replaced and removed on the way', () => {
  const changes = [large('a', 200_000), large('b', 100_000), { properties: { a: null } }];
  changes.push(large('b', 250_000), large('c', 20_000));
  const { contact: grown, rejected: rejected } = mergeWithinLimits(contact(), changes, NOW);
  expect([...rejected.keys()]).toEqual([1, 4]);
  expect(Object.keys(grown.properties)).toEqual(['b']);
});

test('a contact that is too large already may shrink, and not grow', () => {
  const before = contact({ a: 'x'.repeat(300_000), b: 'x'.repeat(300_000) });
  expect(
    mergeWithinLimits(before, [{ properties: { a: null } }], LATER).contact.properties,
  ).not.toHaveProperty('a');
  expect(mergeWithinLimits(before, [{ properties: { c: 1 } }], LATER).rejected.size).toBe(1);
  expect(mergeWithinLimits(before, [{ firstName: 'Ada' }], LATER).contact.firstName).toBe('Ada');
});

test('replacing leaves nothing of what was known', () => {
  const grown = mergeWithinLimits(
    contact({ a: 1 }),
    [{ properties: { b: 1 } }, { properties: { c: 1 } }],
    NOW,
    'replace',
  );
  expect(grown.contact.properties).toEqual({ c: 1 });
});

test('of tags that come and go again nothing is left, and nothing is said', () => {
  const before = contact({ a: 1 });
  const changes: ContactChanges[] = [{ addTags: ['x'], properties: { b: 1 } }, { removeTags: ['x'] }];
  changes.push({ properties: { b: null } });
  expect(mergeWithinLimits(before, changes, LATER)).toMatchObject({ contact: before, updatedFields: [] });
});

test('a deleted contact of which every change is refused stays deleted', () => {
  const before: Contact = { ...contact({ a: 'x'.repeat(262_000) }), subscriptionStatus: 'deleted' };
  const changes = [large('b'), large('c')];
  const { contact: grown, rejected: rejected } = mergeWithinLimits(before, changes, LATER);
  expect([grown.subscriptionStatus, rejected.size]).toEqual(['deleted', 2]);
});

describe('many changes to a large contact', () => {
  const before = contact(Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`key-${n}`, n])));
  test.each<[string, MergeMode, (n: number) => ContactChanges]>([
    ['with tags', 'merge', (n) => ({ properties: { z: n }, addTags: ['t'] })],
    ['in place of it', 'replace', (n) => ({ properties: { z: n } })],
  ])('cost as much as one: %s', (_, joining, change) => {
    let looks = 0;
    const watched = new Proxy(before.properties, {
      ownKeys: (target) => {
        looks++;
        return Reflect.ownKeys(target);
      },
    });
    const changes = Array.from({ length: 500 }, (_, n) => change(n));
    const { contact: grown } = mergeWithinLimits({ ...before, properties: watched }, changes, LATER, joining);
    expect(grown.properties['z']).toBe(499);
    expect(looks).toBeLessThan(10);
  });
});

/**
 * Reference for mergeWithinLimits: applies one change after the other, and builds and measures the whole contact each time.
 */
function slowly(before: Contact, changes: readonly ContactChanges[], joining: MergeMode): LimitedMerge {
  const join = joining === 'replace' ? replaceContact : mergeContact;
  const refused = new Map<number, FieldError>();
  let running = before;
  changes.forEach((change, place) => {
    const after = join(running, change, LATER).contact;
    const error = exceededLimit(sizeOf(after));
    const isSmaller =
      sizeOf(after).tags <= sizeOf(running).tags && sizeOf(after).bytes <= sizeOf(running).bytes;
    if (error && !(isSmaller && exceededLimit(sizeOf(running))?.field === error.field))
      refused.set(place, error);
    else running = after;
  });
  const updatedFields = [...STANDARD_FIELDS, 'properties', 'tags', 'subscriptionStatus'].filter(
    (field) => !sameJson(before[field as keyof Contact], running[field as keyof Contact]),
  );
  return { contact: running, updatedFields, rejected: refused };
}

const sizeOf = ({ properties, tags }: Contact): ContactSize => ({
  tags: tags.length,
  bytes: Buffer.byteLength(JSON.stringify(properties)),
});

const few = { maxLength: 6 };
const value = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(null, 1, 'a', 'é', { b: [1] }) },
  fc.constantFrom(60_000, 65_000, 130_000).map((bytes) => 'x'.repeat(bytes)),
);
const properties: fc.Arbitrary<JsonObject> = fc.dictionary(
  fc.constantFrom('a', 'b', 'ü', 'd', 'constructor'),
  value,
);
const tags = fc.oneof(
  fc.uniqueArray(fc.constantFrom('t1', 't2', 't3', 't4'), few),
  fc
    .tuple(fc.nat(900), fc.nat(200))
    .map(([from, count]) => Array.from({ length: count }, (_, n) => `n${from + n}`)),
);
const change: fc.Arbitrary<ContactChanges> = fc.record(
  { firstName: fc.constantFrom('Ada', null), properties, tags, addTags: tags, removeTags: tags },
  { requiredKeys: [] },
);
const grown = fc.record({
  properties: properties.map((some) =>
    Object.fromEntries(Object.entries(some).filter(([, v]) => v !== null)),
  ),
  tags: fc.nat(1_100).map((count) => Array.from({ length: count }, (_, n) => `n${n}`)),
  status: fc.constantFrom('subscribed' as const, 'deleted' as const),
});

test.each<[MergeMode]>([['merge'], ['replace']])(
  'comes to what one change after the other does: %s',
  (joining) => {
    fc.assert(
      fc.property(grown, fc.array(change, { maxLength: 8 }), (known, changes) => {
        const before: Contact = {
          ...newContact('id', 'ada', NOW),
          ...known,
          subscriptionStatus: known.status,
        };
        // Without tags, if all changes together fit, each fits.
        const [first, ...others] = changes;
        const tagged = others.length > 0 ? [{ ...first, addTags: first?.addTags ?? [] }, ...others] : changes;
        const expected = slowly(before, tagged, joining);
        const found = mergeWithinLimits(before, tagged, LATER, joining);
        expect([...found.rejected]).toEqual([...expected.rejected]);
        expect([...found.updatedFields].sort()).toEqual([...expected.updatedFields].sort());
        if (expected.updatedFields.length === 0) expect(found.contact).toBe(before);
        else expect(found.contact).toEqual(expected.contact);
      }),
      { numRuns: runs(100) },
    );
  },
);
