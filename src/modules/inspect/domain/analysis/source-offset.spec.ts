import { sourceOffset } from './source-offset.js';

// <b>{the name}</b>{for …}x{end for}, rendered as <b>Ada Lovelace</b>xx
const PIECES = [
  { rendered: 0, source: 0, isText: true },
  { rendered: 3, source: 3, isText: false },
  { rendered: 15, source: 13, isText: true },
  { rendered: 19, source: 24, isText: true },
  { rendered: 20, source: 24, isText: true },
];

test.each([
  ['the first character', 0, 0],
  ['text before a value', 2, 2],
  ['the beginning of a value', 3, 3],
  ['the middle of a value', 9, 3],
  ['text after a value', 16, 14],
  ['the first round of a loop', 19, 24],
  ['the second round of a loop', 20, 24],
  ['the end', 21, 25],
])('%s stands where its source does', (_, rendered, source) =>
  expect(sourceOffset(PIECES, rendered)).toBe(source),
);

test('without pieces, and before the first, it is the beginning', () => {
  expect(sourceOffset([], 7)).toBe(0);
  expect(sourceOffset([{ rendered: 5, source: 9, isText: true }], 2)).toBe(0);
});
