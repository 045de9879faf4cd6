import * as fc from 'fast-check';
import { MAX_PLAIN_NAME_LENGTH, plainName } from './plain-name.js';

test.each([
  ['Olive', 'Olive'],
  ['  Olive \t Oyl ', 'Olive Oyl'],
  ['J.R.R. Tolkien', 'J. R. R. Tolkien'],
  ['Acme Inc.', 'Acme Inc.'],
  ['O’Neil & Sons', 'O’Neil & Sons'],
  ['Acme / Sales', 'Acme / Sales'],
  ['Größe 👩‍👩‍👧 علی', 'Größe 👩‍👩‍👧 علی'],
  ['evil.com', 'evil. com'],
  ['evil\u3002com', 'evil. com'],
  ['https://evil.com/a', 'https evil. com/a'],
  ['http:\\\\evil', 'http evil'],
  ['x@evil.com', 'x at evil. com'],
  ['Olive\r\nBcc: a', 'Olive Bcc: a'],
  ['a\u202egnp.exe', 'a gnp. exe'],
  ['e\u200bvil', 'e vil'],
  ['\u200b\u2060', 'somebody'],
  ['', 'somebody'],
])('%j becomes %j', (name, expected) => {
  expect(plainName(name, 'somebody')).toBe(expected);
});

test('long names are cut, between characters', () => {
  const cut = plainName('😀'.repeat(255), 'somebody');
  expect([...cut]).toHaveLength(MAX_PLAIN_NAME_LENGTH);
  expect(cut.endsWith('😀…')).toBe(true);
  expect(plainName(`a${'\u0301'.repeat(200)}`, 'x').length).toBe(5);
});

test('whatever the name is, nothing of it is a link, a break or a turn, and once is enough', () => {
  const name = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 120 }),
    fc
      .array(fc.constantFrom('.', ':', '/', '\\', '@', ' ', 'a', 'www', '\u202e', '\n', '\u3002'))
      .map((all) => all.join('')),
  );
  fc.assert(
    fc.property(name, (text) => {
      const plain = plainName(text, 'somebody');
      expect(plain).not.toMatch(/[.\u3002]\p{L}|:\/|\/\/|@|[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      expect([...plain].length).toBeLessThanOrEqual(MAX_PLAIN_NAME_LENGTH);
      expect(plain).not.toBe('');
      expect(plainName(plain, 'somebody')).toBe(plain);
    }),
  );
});
