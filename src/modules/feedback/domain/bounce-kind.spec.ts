import { bounceOf } from './bounce-kind.js';

test.each([
  [['Permanent', 'General'], null, null, 'hard', null],
  [['Permanent', 'General'], null, '550 5.1.1 no such user', 'hard', '5.1.1'],
  [['Permanent', 'General'], null, '550 rejected', 'hard', null],
  [['Permanent', 'OnAccountSuppressionList'], null, null, 'hard', null],
  [['Transient', 'MailboxFull'], null, '452 4.2.2 full', 'soft', '4.2.2'],
  [['Permanent', 'ContentRejected'], null, null, 'soft', null],
  // The provider and the server contradict each other.
  [['hard'], null, '552 5.2.2 full', 'soft', '5.2.2'],
  [['Permanent', 'General'], null, '550 5.7.1 blocked using Spamhaus', 'soft', '5.7.1'],
  [['Undetermined'], '5.1.1', null, 'soft', '5.1.1'],
  // Providers spell the same word in different ways.
  [['hard-bounce'], null, '550 rejected', 'hard', null],
  [['permanent_failure'], null, '550 rejected', 'hard', null],
  [['Soft Bounce'], null, null, 'soft', null],
  [['temporary'], null, null, 'soft', null],
  [['Block'], null, null, 'soft', null],
  [['blocked'], null, null, 'soft', null],
  [['Permanent', 'Message Too Large'], null, null, 'soft', null],
  [['Permanent', 'attachment-rejected'], null, null, 'soft', null],
  [['Mailbox Full'], null, null, 'soft', null],
  [[], '5.1.1', 'gone', 'hard', '5.1.1'],
  [[], '5.0.0', null, 'soft', '5.0.0'],
  [['other'], null, '550 5.7.1 policy', 'soft', '5.7.1'],
  [[], null, '450 try later', 'soft', null],
  [[], null, '550 nobody here', 'hard', null],
  [[], null, '550 rejected', 'soft', null],
  [[], null, null, 'hard', null],
] as const)('%p, code %p, words %p: %s', (words, code, detail, kind, found) => {
  expect(bounceOf({ words, code, detail })).toEqual({ kind, code: found, detail });
});
