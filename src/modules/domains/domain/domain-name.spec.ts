import { isWithin, organisationOf, readableName, readDomainName } from './domain-name.js';

test.each([
  ['Example.COM', 'example.com'],
  [' news.example.co.uk. ', 'news.example.co.uk'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['BÜCHER.example', 'xn--bcher-kva.example'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['例え。jp', 'xn--r8jz45g.jp'],
  ['例え.例え.jp', 'xn--r8jz45g.xn--r8jz45g.jp'],
  ['me.github.io', 'me.github.io'],
  ['acme.test', 'acme.test'],
])('%s is read as %s', (text, name) => {
  const read = readDomainName(text);
  expect(read).toEqual({ kind: 'name', name });
});

test.each([
  '',
  ' ',
  '.',
  'localhost',
  'a..b',
  '.example.com',
  'exa mple.com',
  'example.com/x',
  'example.com:25',
  'user@example.com',
  'http://example.com',
  'ex_ample.com',
  '-a.example.com',
  'a-.example.com',
  '127.0.0.1',
  '0x7f.1',
  '2130706433',
  '１２７.０.０.１',
  '[::1]',
  '::1',
  'example.com\r\nx.com',
  'example.com\0',
  'exa%6dple.com/',
  '*.example.com',
  `${'a'.repeat(64)}.com`,
  `${'a.'.repeat(120)}com`,
])('%j is none', (text) => expect(readDomainName(text)).toMatchObject({ kind: 'refused' }));

test.each(['com', 'co.uk', 'github.io', 'xn--p1ai', 'test'])('nobody owns the suffix %s', (text) =>
  expect(readDomainName(text)).toEqual({
    kind: 'refused',
    message: 'must be your own domain, not a public suffix such as co.uk',
  }),
);

test('names within others', () => {
  expect(isWithin('a.example.com', 'example.com')).toBe(true);
  expect(isWithin('example.com', 'example.com')).toBe(true);
  expect(isWithin('notexample.com', 'example.com')).toBe(false);
});

test('organisations and readable names', () => {
  expect(organisationOf('a.b.example.co.uk')).toBe('example.co.uk');
  expect(organisationOf('a.me.github.io')).toBe('me.github.io');
  expect(readableName('xn--bcher-kva.example')).toBe('bücher.example');
});
