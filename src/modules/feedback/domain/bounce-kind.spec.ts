import { bounceOf, enhancedCodeOf, kindOfCode, saysNoMailbox } from './bounce-kind.js';

test.each([
  ['5.1.1', 'hard'],
  ['5.1.2', 'hard'],
  ['5.1.3', 'hard'],
  ['5.1.6', 'hard'],
  ['5.1.8', 'soft'],
  ['5.1.10', 'hard'],
  ['5.2.1', 'hard'],
  ['5.2.2', 'soft'],
  ['5.2.3', 'soft'],
  ['5.3.0', 'soft'],
  ['5.3.4', 'soft'],
  ['5.4.1', 'soft'],
  ['5.4.4', 'hard'],
  ['5.4.7', 'soft'],
  ['5.5.0', 'soft'],
  ['5.6.0', 'soft'],
  ['5.7.1', 'soft'],
  ['5.7.26', 'soft'],
  ['5.0.0', 'hard'],
  ['4.1.1', 'soft'],
  ['4.2.2', 'soft'],
  ['4.7.28', 'soft'],
])('%s is %s', (code, kind) => {
  expect(kindOfCode(code)).toBe(kind);
});

test.each([
  ['550 5.1.1 <a@b.test> no such user', '5.1.1'],
  ['550-5.7.26 from 10.5.1.1', '5.7.26'],
  ['host 10.5.1.1 said 550', undefined],
  ['250 2.0.0 OK', undefined],
  ['', undefined],
])('the code of %p is %p', (text, code) => {
  expect(enhancedCodeOf(text)).toBe(code);
});

test.each([
  [['Permanent', 'General'], null, null, 'hard', null],
  [['Transient', 'MailboxFull'], null, '452 4.2.2 full', 'soft', '4.2.2'],
  [['Permanent', 'ContentRejected'], null, null, 'soft', null],
  [['hard'], null, '552 5.2.2 full', 'hard', '5.2.2'],
  [['Undetermined'], '5.1.1', null, 'soft', '5.1.1'],
  [[], '5.1.1', 'gone', 'hard', '5.1.1'],
  [['other'], null, '550 5.7.1 policy', 'soft', '5.7.1'],
  [[], null, '450 try later', 'soft', null],
  [[], null, '550 nobody here', 'hard', null],
  [[], null, null, 'hard', null],
] as const)('%p, code %p, words %p: %s', (words, code, detail, kind, found) => {
  expect(bounceOf({ words, code, detail })).toEqual({ kind, code: found, detail });
});

test.each([
  ['550 5.1.1 <a@b.test> no such user', true],
  ['550 5.1.10 recipient not found', true],
  ['550 5.2.1 disabled', true],
  ['554 5.4.4 no such domain', true],
  ['550 no such user', false],
  ['550 5.1.8 bad sender', false],
  ['552 5.2.2 mailbox full', false],
  ['554 5.7.1 spam', false],
  ['554 5.0.0 other', false],
  ['450 4.1.1 later', false],
])('%p: there is no such mailbox: %p', (answer, isNone) => {
  expect(saysNoMailbox(answer)).toBe(isNone);
});
