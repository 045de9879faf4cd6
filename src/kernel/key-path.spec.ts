/** Tests the order in which dotted names are tried as keys. */
import { keyPathsOf, valueAtPath } from './key-path.js';

test.each([
  ['a', [['a']]],
  ['a.b', [['a.b'], ['a', 'b']]],
  ['a.b.c', [['a.b.c'], ['a.b', 'c'], ['a', 'b.c'], ['a', 'b', 'c']]],
  ['a.', [['a.'], ['a', '']]],
  ['.a', [['.a'], ['', 'a']]],
])('%s is read as keys, the longest first', (text, paths) => {
  expect(keyPathsOf(text.split('.'))).toEqual(paths);
});

test('a long path has at most one key with dots, and every such way is tried', () => {
  const names = [...'abcdefghij'];
  const paths = keyPathsOf(names);
  expect(paths).toHaveLength(1 + (10 * 9) / 2);
  expect(new Set(paths.map((keys) => keys.join('|'))).size).toBe(paths.length);
  expect([paths[0], paths.at(-1)]).toEqual([['a.b.c.d.e.f.g.h.i.j'], names]);
  expect(paths.every((keys) => keys.join('.') === names.join('.'))).toBe(true);
});

test('a path of more than ten names has no key with dots, however long it is', () => {
  for (const length of [11, 2_500]) {
    const names = Array.from({ length }, () => 'a');
    expect(keyPathsOf(names)).toEqual([names]);
  }
});

test.each<[string, object, string, unknown]>([
  ['an exact key', { 'utm.source': 'ads' }, 'utm.source', 'ads'],
  ['a path', { utm: { source: 'ads' } }, 'utm.source', 'ads'],
  ['a key before a path', { 'utm.source': 'key', utm: { source: 'path' } }, 'utm.source', 'key'],
  ['a path where the key is null', { 'utm.source': null, utm: { source: 'path' } }, 'utm.source', 'path'],
  ['false and 0 are values', { 'a.b': false, a: { b: 1 } }, 'a.b', false],
  ['a key with dots around an object', { 'a.b': { c: 1 } }, 'a.b.c', 1],
  ['a key with dots inside an object', { a: { 'b.c': 1 } }, 'a.b.c', 1],
  ['two keys with dots', { 'a.b': { 'c.d': 1 } }, 'a.b.c.d', 1],
  ['the longer first key', { 'a.b': { c: 'longer' }, a: { 'b.c': 'shorter' } }, 'a.b.c', 'longer'],
  ['another way where the longer key leads nowhere', { 'a.b': { x: 1 }, a: { b: { c: 2 } } }, 'a.b.c', 2],
  ['a dot at the end', { 'a.': 1 }, 'a.', 1],
  ['a dot at the start', { '.a': 1 }, '.a', 1],
  ['two dots in a row', { 'a..b': 1 }, 'a..b', 1],
  ['letters of any script', { 'größe.ärmel': '長' }, 'größe.ärmel', '長'],
  ['a long key', { 'a.b.c.d.e.f.g.h': 1 }, 'a.b.c.d.e.f.g.h', 1],
  ['no inherited name', {}, 'constructor.name', undefined],
  ['no name of a list', { a: [1] }, 'a.length', undefined],
  ['no index of a list', { a: [1] }, 'a.0', undefined],
  ['no name of a text', { a: 'x' }, 'a.length', undefined],
])('finds %s', (_case, json, text, value) => {
  expect(valueAtPath(json as Record<string, unknown>, text.split('.'))).toBe(value);
});
