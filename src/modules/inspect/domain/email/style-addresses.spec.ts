import { addressesInStyle } from './style-addresses.js';

test.each([
  ['url(a.png)', ['a.png']],
  [`url( "a.png" ) no-repeat, URL('b.png')`, ['a.png', 'b.png']],
  ['url()', ['']],
  [`url("a'b.png") url('a) url(c.png)`, ['c.png']],
  ['url(a', []],
  ['red', []],
  ['url('.repeat(100_000), []],
  [`url(${' '.repeat(100_000)}`, []],
])('%.40s', (style, addresses) => {
  expect(addressesInStyle(style)).toEqual(addresses);
});
