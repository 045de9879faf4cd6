/** Tests the set of a workspace's segments. */
import { DomainError } from '../../../kernel/domain-error.js';
import { readFilter } from './read-filter.js';
import { segmentIdIn, SegmentSet } from './segment-set.js';

const idOf = (n: number): string => `0190a5d2-7c3e-7b61-9a3e-${n.toString(16).padStart(12, '0')}`;
const stored = (n: number, ...conditions: object[]): ConstructorParameters<typeof SegmentSet>[0][number] => ({
  id: idOf(n),
  name: `S${n}`,
  match: 'all',
  conditions: conditions as never,
});
const inside = (n: number): object => ({ segment_id: idOf(n) });
const PAID = { event: 'paid', within_days: 7 };
const SEEN = { event: 'seen' };
const UNREADABLE = { field: 'email', operator: 'like', value: 'x' };

// 1 is named by 2, 2 by 3; 4 is independent; 5 cannot be read, and 6 names it.
const SET = new SegmentSet([
  stored(1, PAID),
  stored(2, inside(1)),
  stored(3, inside(2), SEEN),
  stored(4, SEEN),
  stored(5, UNREADABLE),
  stored(6, inside(5)),
]);

function refusal(ask: () => unknown): string {
  try {
    ask();
  } catch (error) {
    if (error instanceof DomainError) return `${error.code}: ${error.detail}`;
    throw error;
  }
  return 'accepted';
}
const meaningful = (n: number | undefined, ...conditions: object[]): string =>
  refusal(() =>
    SET.assertMeaningful(readFilter({ match: 'all', conditions }), n === undefined ? n : idOf(n)),
  );

test('a filter is read, is undefined where there is no segment, and says why it cannot be read', () => {
  expect(SET.filterOf(idOf(4))?.conditions).toHaveLength(1);
  expect(SET.filterOf(idOf(9))).toBeUndefined();
  expect(refusal(() => SET.filterOf(idOf(5)))).toMatch(/^invalid_filter_operator: .*"S5".*like/);
});

test('what hangs on a filter that cannot be read cannot be read either', () =>
  expect([...SET.readable().keys()]).toEqual([1, 2, 3, 4].map(idOf)));

test('the events that are asked about', () => expect([...SET.eventNames()].sort()).toEqual(['paid', 'seen']));

test.each([
  [1, true],
  [3, true],
  [4, false],
])('time changes who is in segment %i: %s', (n, expected) =>
  expect(SET.isTimeDependent(idOf(n))).toBe(expected),
);

test('a segment and all that lead to it', () => {
  expect(SET.dependentOn(idOf(1))).toEqual([1, 2, 3].map(idOf));
  expect(SET.dependentOn(idOf(3))).toEqual([idOf(3)]);
});

test.each([
  ['nothing', undefined, [], 'accepted'],
  ['other segments', undefined, [inside(1), inside(3)], 'accepted'],
  ['a segment that does not exist', undefined, [inside(9)], 'invalid_field: conditions: refers to a segment'],
  ['itself', 4, [inside(4)], 'invalid_field: conditions: refer back to the segment itself: "S4" → "S4"'],
  [
    'one that leads back',
    1,
    [inside(3)],
    'invalid_field: conditions: refer back to the segment itself: "S1"',
  ],
])('a filter that names %s', (_, n, conditions, expected) =>
  expect(meaningful(n, ...conditions)).toContain(expected),
);

describe('the size with all that is named', () => {
  // Each names the one before it twice: 2, 4, 8 … times the first.
  const doubled = (most: number): SegmentSet =>
    new SegmentSet(
      Array.from({ length: most }, (_, n) =>
        n === 0 ? stored(0, { ...SEEN }) : stored(n, inside(n - 1), inside(n - 1)),
      ),
    );
  test.each([
    [5, 'accepted'],
    [6, 'invalid_field'],
    [400, 'invalid_field'],
  ])('is bounded: %i segments that double', (count, expected) => {
    const set = doubled(count);
    const filter = readFilter({ match: 'all', conditions: [inside(count - 1), inside(count - 1)] });
    expect(refusal(() => set.assertMeaningful(filter))).toContain(expected);
  });

  describe('counts conditions, those of attributes, groups and events', () => {
    const FIELD = { field: 'email', operator: 'exists' };
    const ATTRIBUTES = { event: 'paid', where: Array(20).fill({ field: 'a', operator: 'exists' }) };
    const set = new SegmentSet([
      stored(1, ...Array<object>(98).fill(FIELD)),
      stored(2, ...Array<object>(20).fill(SEEN)),
    ]);
    const many = (count: number, condition: object): object[] => Array<object>(count).fill(condition);
    test.each([
      ['500 conditions', [...many(5, inside(1)), ...many(4, FIELD)], FIELD],
      ['500 with attributes', [...many(4, inside(1)), ...many(4, ATTRIBUTES), ...many(19, FIELD)], FIELD],
      ['40 events', many(2, inside(2)), SEEN],
    ])('%s, and no more', (_, conditions, oneMore) => {
      const ask = (...all: object[]): string =>
        refusal(() => set.assertMeaningful(readFilter({ match: 'all', conditions: all })));
      expect(ask(...conditions)).toBe('accepted');
      expect(ask(...conditions, oneMore)).toContain('invalid_field');
    });
  });

  test('holds for those that name a segment which grows', () => {
    const set = doubled(6);
    const grown = stored(0, SEEN, PAID);
    expect(
      refusal(() =>
        set.with(grown).assertMeaningful(readFilter({ match: 'all', conditions: [SEEN, PAID] }), grown.id),
      ),
    ).toContain('invalid_field');
  });
});

test('a segment that others name is kept', () => {
  expect(refusal(() => SET.assertUnreferenced(idOf(1)))).toMatch(/^conflict: .*"S2"/);
  expect(refusal(() => SET.assertUnreferenced(idOf(5)))).toMatch(/^conflict: .*"S6"/);
  expect(refusal(() => SET.assertUnreferenced(idOf(4)))).toBe('accepted');
});

test.each([
  [idOf(10).toUpperCase(), idOf(10)],
  ['x', undefined],
])('the id in %s', (text, expected) => expect(segmentIdIn(text)).toBe(expected));
