import {
  addedRecipients,
  distinctRecipients,
  MAX_REPORT_EMAILS_PER_DAY,
  MAX_REPORT_EMAILS_PER_ADDRESS,
  withinLimits,
} from './report-email-limits.js';

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
  const past = Array.from({ length: MAX_REPORT_EMAILS_PER_ADDRESS }, () => 'bob@xn--bcher-kva.example');
  expect(withinLimits(spellings, past)).toEqual([]);
});

test('an address that has had its share is left out, and nobody else', () => {
  const past = Array.from({ length: MAX_REPORT_EMAILS_PER_ADDRESS }, () => 'ADA@example.com');
  const both = to('ada@example.com', 'bob@example.com');
  expect(withinLimits(both, past)).toEqual(to('bob@example.com'));
  expect(withinLimits(both, past.slice(1))).toEqual(both);
});

test('a workspace that has sent its share sends all of a letter or nothing of it', () => {
  const past = Array.from({ length: MAX_REPORT_EMAILS_PER_DAY - 1 }, (_, n) => `p${n}@example.com`);
  expect(withinLimits(to('ada@example.com'), past)).toHaveLength(1);
  expect(withinLimits(to('ada@example.com', 'bob@example.com'), past)).toEqual([]);
  expect(withinLimits([], past)).toEqual([]);
});

test('added are the addresses that were not there, however they are written', () => {
  const before = to('ada@example.com', 'bob@example.com');
  expect(addedRecipients(before, to('ADA@example.com', 'eve@example.com'))).toEqual(to('eve@example.com'));
  expect(addedRecipients(before, to('bob@example.com'))).toEqual([]);
});
