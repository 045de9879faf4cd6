import { markedSubject, reasonOfFailure, recipientsOf, reportOf, resultOf } from './test-send.js';

test('recipients are each taken once, whatever the letter case, in the order of the request', () => {
  expect(
    recipientsOf([
      ' ada@Example.com ',
      'bob',
      'ADA@example.com',
      'eve@bücher.example',
      'bob',
      'a@b.c\r\nBcc: x@y.z',
    ]),
  ).toEqual([
    { email: 'ada@Example.com', address: 'ada@example.com' },
    { email: 'bob', address: undefined },
    { email: 'eve@bücher.example', address: 'eve@xn--bcher-kva.example' },
    { email: 'a@b.c\r\nBcc: x@y.z', address: undefined },
  ]);
});

test('a report adds the results up', () => {
  const ada = { email: 'ada@example.com', address: 'ada@example.com' };
  const bob = { email: 'bob', address: undefined };
  expect(reportOf([resultOf(ada, null), resultOf(bob, 'invalid_email')])).toEqual({
    sentCount: 1,
    failed: ['bob'],
    results: [
      { email: 'ada@example.com', outcome: 'sent', reason: null },
      { email: 'bob', outcome: 'failed', reason: 'invalid_email' },
    ],
    allAccepted: false,
  });
  expect(reportOf([resultOf(ada, null)])).toMatchObject({ sentCount: 1, failed: [], allAccepted: true });
});

test.each([
  ['permanent', 'rejected'],
  ['temporary', 'temporarily_rejected'],
  ['unreachable', 'unreachable'],
  ['unknown_fate', 'unknown'],
] as const)('an attempt that ended as %s gives the reason %s', (kind, reason) => {
  expect(reasonOfFailure({ kind, detail: '' })).toBe(reason);
});

test.each([
  ['Hello', '[Test] Hello'],
  ['', '[Test]'],
])('the subject %j becomes %j', (subject, marked) => {
  expect(markedSubject(subject)).toBe(marked);
});
