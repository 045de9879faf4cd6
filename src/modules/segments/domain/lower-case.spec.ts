import { lowerCase } from './lower-case.js';

test.each([
  ['ADA', 'ada'],
  ['ΟΔΟΣ', 'οδοσ'],
  ['ΟΔΟΣ İ', 'οδοσ i'],
  ['İZMİR', 'izmir'],
  ['STRASSE ß', 'strasse ß'],
])('%s is %s in lower case, as PostgreSQL has it', (text, expected) =>
  expect(lowerCase(text)).toBe(expected),
);
