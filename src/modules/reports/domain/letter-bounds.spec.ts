import {
  addedRecipients,
  distinctRecipients,
  MOST_LETTERS,
  MOST_LETTERS_TO_ONE,
  withinBounds,
} from './letter-bounds.js';

const to = (...emails: string[]) => emails.map((email) => ({ email, name: null }));

test('an address gets one mail, however it is written', () => {
  expect(distinctRecipients(to('Ada@Example.com', 'bob@example.com', ' ada@example.COM'))).toEqual(
    to('Ada@Example.com', 'bob@example.com'),
  );
});

test('an international domain is one address, in Unicode and in Punycode', () => {
  const spellings = to('bob@bücher.example', 'BOB@xn--bcher-kva.example', 'bob@BÜCHER.example');
  expect(distinctRecipients(spellings)).toEqual(to('bob@bücher.example'));
  expect(addedRecipients(to('bob@xn--bcher-kva.example'), spellings)).toEqual([]);
  const past = Array.from({ length: MOST_LETTERS_TO_ONE }, () => 'bob@xn--bcher-kva.example');
  expect(withinBounds(spellings, past)).toEqual([]);
});

test('an address that has had its share is left out, and nobody else', () => {
  const past = Array.from({ length: MOST_LETTERS_TO_ONE }, () => 'ADA@example.com');
  const both = to('ada@example.com', 'bob@example.com');
  expect(withinBounds(both, past)).toEqual(to('bob@example.com'));
  expect(withinBounds(both, past.slice(1))).toEqual(both);
});

test('a workspace that has sent its share sends all of a letter or nothing of it', () => {
  const past = Array.from({ length: MOST_LETTERS - 1 }, (_, n) => `p${n}@example.com`);
  expect(withinBounds(to('ada@example.com'), past)).toHaveLength(1);
  expect(withinBounds(to('ada@example.com', 'bob@example.com'), past)).toEqual([]);
  expect(withinBounds([], past)).toEqual([]);
});

test('added are the addresses that were not there, however they are written', () => {
  const before = to('ada@example.com', 'bob@example.com');
  expect(addedRecipients(before, to('ADA@example.com', 'eve@example.com'))).toEqual(to('eve@example.com'));
  expect(addedRecipients(before, to('bob@example.com'))).toEqual([]);
});
