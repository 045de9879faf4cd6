import fc from 'fast-check';
import { applyPatch } from 'rfc6902';
import type { JsonObject } from '../../../kernel/json.js';
import { astPatch } from './ast-patch.js';

/** The document that results from the patch. */
function patched(from: JsonObject, patch: ReturnType<typeof astPatch>): unknown {
  const document: unknown = JSON.parse(JSON.stringify({ root: from }));
  const moved = (patch ?? []).map((operation) => ({ ...operation, path: `/root${operation.path}` }));
  expect(applyPatch(document, moved).filter((result) => result !== null)).toEqual([]);
  return (document as { root: unknown }).root;
}

/**
 * As parsed from a request: JSON has no negative zero. The library does not apply patches to a member `__proto__`.
 */
const json = fc
  .jsonValue({ maxDepth: 4 })
  .map((value) => JSON.stringify({ value }))
  .filter((text) => !text.includes('"__proto__"'))
  .map((text) => JSON.parse(text) as JsonObject);

test('applied to the one it gives the other', () => {
  fc.assert(
    fc.property(json, json, (from, to) => {
      expect(patched(from, astPatch(from, to))).toEqual(to);
    }),
    { numRuns: 300 },
  );
});

test('also where the two share much', () => {
  const blocks = fc.array(fc.record({ type: fc.constantFrom('a', 'b'), children: fc.array(fc.nat(2)) }));
  fc.assert(
    fc.property(blocks, blocks, blocks, blocks, (head, tail, one, other) => {
      const from = { blocks: [...head, ...one, ...tail] };
      const to = { blocks: [...head, ...other, ...tail] };
      expect(patched(from, astPatch(from, to))).toEqual(to);
    }),
    { numRuns: 300 },
  );
});

test('a block that is put in between is one addition', () => {
  const from = { blocks: [{ id: 1 }, { id: 3 }] };
  expect(astPatch(from, { blocks: [{ id: 1 }, { id: 2 }, { id: 3 }] })).toEqual([
    { op: 'add', path: '/blocks/1', value: { id: 2 } },
  ]);
});

test('a changed word is one replacement, however deep it stands', () => {
  const of = (text: string) => ({ blocks: [{ a: 1 }, { rows: [[{ text }]] }] });
  expect(astPatch(of('old'), of('new'))).toEqual([
    { op: 'replace', path: '/blocks/1/rows/0/0/text', value: 'new' },
  ]);
});

test('the same document has an empty patch', () => {
  expect(astPatch({ a: [1] }, { a: [1] })).toEqual([]);
});

test.each([
  ['nothing before', null, {}],
  ['nothing after', {}, null],
  ['a document that is too large', { a: 'x'.repeat(150_000) }, {}],
  ['paths that are too long', {}, { ['x'.repeat(60_000)]: Array.from({ length: 30_000 }, () => 0) }],
])('there is none for %s', (_name, from, to) => {
  expect(astPatch(from, to)).toBeNull();
});

test('long arrays that differ everywhere are no burden', () => {
  const list = (value: number) => ({ list: Array.from({ length: 65_000 }, () => value) });
  expect(astPatch(list(1), list(2))).toHaveLength(65_000);
});
