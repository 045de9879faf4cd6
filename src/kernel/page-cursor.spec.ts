import { DomainError } from './domain-error.js';
import { encodeCursor, KEY, decodeCursor, sliceAfter, sliceOf } from './page-cursor.js';

const ID = '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea';

test.each([
  ['the id alone', '', KEY.none],
  ['a text', 'Ünïcode "quoted"\n', KEY.text],
  ['a moment', '2026-04-07T09:30:00.000Z', KEY.moment],
  ['a number', '12', KEY.number],
])('a place by %s comes back', (_, key, isKey) =>
  expect(decodeCursor('things', encodeCursor('things', { key, id: ID }), isKey)).toEqual({ key, id: ID }),
);

test.each([null, undefined])('%p begins with the first', (cursor) =>
  expect(decodeCursor('things', cursor, KEY.none)).toBeNull(),
);

const written = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

test.each([
  ['empty', '', KEY.none],
  ['of another list', encodeCursor('others', { key: '', id: ID }), KEY.none],
  ['an id', ID, KEY.none],
  ['no JSON', 'bm8', KEY.none],
  ['null', written(null), KEY.none],
  ['an object', written({}), KEY.none],
  ['no id', written(['things', '', 'x']), KEY.none],
  ['a key where none belongs', written(['things', 'x', ID]), KEY.none],
  ['no moment', written(['things', '2026-99-99T00:00:00.000Z', ID]), KEY.moment],
  ['no number', written(['things', '1e300', ID]), KEY.number],
  ['NUL', written(['things', '\0', ID]), KEY.text],
  ['half a character', written(['things', '\ud800', ID]), KEY.text],
  ['very long', 'x'.repeat(100_000), KEY.text],
])('what is %s is refused', (_, cursor, isKey) => {
  let thrown: unknown;
  try {
    decodeCursor('things', cursor, isKey);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(DomainError);
  expect((thrown as DomainError).fields.errors).toEqual([
    { field: 'after', message: 'is not a cursor of this list' },
  ]);
});

test('a page knows whether there is another', () => {
  expect(sliceOf([1, 2, 3], 2)).toEqual({ items: [1, 2], hasNextPage: true });
  expect(sliceOf([1, 2], 2)).toEqual({ items: [1, 2], hasNextPage: false });
  const all = ['a', 'b', 'c'];
  const behind = (item: string, { key }: { key: string }): boolean => item > key;
  expect(sliceAfter(all, { first: 1, after: { key: 'a', id: ID } }, behind)).toEqual({
    items: ['b'],
    hasNextPage: true,
  });
  expect(sliceAfter(all, { first: 9, after: null }, behind)).toEqual({ items: all, hasNextPage: false });
});
