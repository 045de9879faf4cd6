import { acceptedEncoding } from './compression.js';

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['deflate', undefined],
  ['gzip', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP;Q=1.0', 'gzip'],
  ['gzip;q=0.9, br;q=0.1', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0', undefined],
  ['*', 'br'],
  ['*;q=0.5, br;q=0', 'gzip'],
  ['*;q=0', undefined],
  ['gzip;q=x', undefined],
])('of %j it takes %p', (header, encoding) => {
  expect(acceptedEncoding(header)).toBe(encoding);
});
