import { Shares } from './shares.js';

test('so many run of each owner and in all, and a share is given back once', () => {
  const shares = new Shares(3, 2);
  const first = shares.take('a');
  expect(first).toBeDefined();
  expect(shares.take('a')).toBeDefined();
  expect(shares.take('a')).toBeUndefined();
  expect(shares.take('b')).toBeDefined();
  expect(shares.take('b')).toBeUndefined();
  first?.();
  first?.();
  expect(shares.take('b')).toBeDefined();
  expect(shares.take('c')).toBeUndefined();
});
