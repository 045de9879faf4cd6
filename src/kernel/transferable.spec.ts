import { ExactNumber } from './exact-number.js';
import { transferSizeOf, toTransferable, fromTransferable } from './transferable.js';

const BIG = ExactNumber.from('12345678901234567890');

test('exact numbers are themselves again after a clone', () => {
  const value = { a: [1, BIG, { b: BIG, c: 'x', d: null }], now: new Date(0), text: 'exact' };
  const cloned = fromTransferable(structuredClone(toTransferable(value)));
  expect(cloned).toEqual(value);
  expect((cloned as typeof value).a[1]).toBeInstanceOf(ExactNumber);
});

test('without a pack they would be lost', () => {
  expect(structuredClone({ a: BIG }).a).not.toBeInstanceOf(ExactNumber);
});

test('what holds none is not copied', () => {
  const value = { a: [1, { b: 'x' }], c: new Date(0), d: new Int32Array(1) };
  expect(toTransferable(value)).toBe(value);
  expect(fromTransferable(value)).toBe(value);
});

test('every text counts with its bytes, wherever it is', () => {
  expect(transferSizeOf('é€😀')).toBe(9);
  expect(transferSizeOf({ a: 'é', bb: [null, 'xy', { c: 'z' }] })).toBe(1 + 2 + 2 + 8 + 2 + 1 + 1);
  expect(transferSizeOf([1, true, new Date(0), undefined, BIG])).toBe(4 * 8 + '12345678901234567890'.length);
});
