import { integerArray, jsonbArray, momentArray, textArray, uuidArray } from './array-parameters.js';

/** Decodes an array as PostgreSQL's array_recv does: the element type and the bytes of each element. */
function read(array: Buffer): { type: number; elements: (Buffer | null)[] } {
  const dimensions = array.readInt32BE(0);
  const type = array.readInt32BE(8);
  if (dimensions === 0) {
    expect(array.length).toBe(12);
    return { type, elements: [] };
  }
  expect([dimensions, array.readInt32BE(16)]).toEqual([1, 1]);
  let at = 20;
  const elements = Array.from({ length: array.readInt32BE(12) }, () => {
    const size = array.readInt32BE(at);
    at += 4;
    if (size === -1) return null;
    at += size;
    return array.subarray(at - size, at);
  });
  expect(at).toBe(array.length);
  return { type, elements };
}

test('texts of every width, empty ones and none', () => {
  const texts = ['plain', null, '', 'a "quoted", {braced} \\ one', 'é', '漢字 😀', '\ud800'];
  expect(read(textArray(texts))).toEqual({
    type: 25,
    elements: texts.map((text) => (text === null ? null : Buffer.from(text))),
  });
  expect(read(textArray([]))).toEqual({ type: 25, elements: [] });
});

test('JSON is told by the version before it', () => {
  expect(read(jsonbArray(['{"a":"é"}', null]))).toEqual({
    type: 3802,
    elements: [Buffer.from('\u0001{"a":"é"}'), null],
  });
});

test('ids are their sixteen bytes, and what is no id is refused', () => {
  expect(read(uuidArray(['0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffeea', null]))).toEqual({
    type: 2950,
    elements: [Buffer.from('0190a5d27c3e7b619a3e4f5f0c0ffeea', 'hex'), null],
  });
  for (const wrong of ['', 'x', '0190a5d2-7c3e', '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffexx'])
    expect(() => uuidArray([wrong])).toThrow(TypeError);
});

test('whole numbers and moments, before and after the year 2000', () => {
  expect(read(integerArray([-1, null, 2 ** 31 - 1])).elements.map((e) => e?.readInt32BE())).toEqual([
    -1,
    undefined,
    2 ** 31 - 1,
  ]);
  const moments = ['1970-01-01T00:00:00.001Z', '2000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'].map(
    (text) => new Date(text),
  );
  expect(read(momentArray([...moments, null])).elements.map((e) => e?.readBigInt64BE())).toEqual([
    -946_684_799_999_000n,
    0n,
    252_455_615_999_999_000n,
    undefined,
  ]);
});
