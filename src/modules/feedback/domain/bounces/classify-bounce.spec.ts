import { KNOWN_REPLIES, SOURCES } from '../../../../../test/support/known-replies.js';
import { classifyBounce, isHardRejection } from './classify-bounce.js';

test.each(KNOWN_REPLIES)('$status $diagnostic: $kind, $reason', ({ status, diagnostic, kind, reason }) => {
  expect(classifyBounce({ status, diagnostic })).toMatchObject({ kind, reason });
});

test('all of them are right, of each kind, and each has a source', () => {
  const right = KNOWN_REPLIES.filter((known) => classifyBounce(known).kind === known.kind);
  expect([right.length, right.length / KNOWN_REPLIES.length]).toEqual([KNOWN_REPLIES.length, 1]);
  expect(KNOWN_REPLIES.length).toBeGreaterThanOrEqual(150);
  for (const kind of ['hard', 'soft'] as const)
    expect(KNOWN_REPLIES.filter((known) => known.kind === kind).length).toBeGreaterThan(75);
  expect(new Set(KNOWN_REPLIES.map(({ source }) => source))).toEqual(new Set(Object.keys(SOURCES)));
});

test.each([
  ['550 5.1.1 <a@b.test> no such user', '5.1.1'],
  ['550-5.7.26 from 10.5.1.1', '5.7.26'],
  ['550 5.0.0 rejected (#5.7.1)', '5.7.1'],
  ['host 10.5.1.1 said 550, Exim 4.94.2', null],
  ['250 2.0.0 OK', null],
  ['', null],
])('the code of %p is %p', (diagnostic, code) => {
  expect(classifyBounce({ status: null, diagnostic }).code).toBe(code);
});

test.each([
  ['550 5.1.1 <quota@spam.example>: user unknown', 'hard'],
  ['550 5.1.1 blocked@full.example... User unknown', 'hard'],
  ['550 5.7.1 <user.unknown@no-such-user.example>: rejected', 'soft'],
])('what an address reads like is no evidence: %s', (diagnostic, kind) => {
  expect(classifyBounce({ status: null, diagnostic }).kind).toBe(kind);
});

test.each([
  ['550 5.1.1 User unknown; last reply: 552 5.2.2 over quota', 'soft'],
  ['552 5.2.2 over quota -> 550 5.1.1 user unknown', 'hard'],
  ['550 5.1.1 User unknown (host mx said: 450 4.2.0 greylisted)', 'soft'],
  ['554 5.4.7 delivery expired (451 4.7.1 try later)', 'soft'],
  ['550 5.1.1 user unknown, blocked', 'soft'],
  ['550 5.1.1 user unknown, 450 of our users are', 'hard'],
])('the innermost reply decides: %s', (diagnostic, kind) => {
  expect(classifyBounce({ status: '5.0.0', diagnostic }).kind).toBe(kind);
});

test.each([
  // A reply that says nothing gives way to one that does, and a specific code outweighs a generic one.
  ['5.0.0', '550 5.1.1 user unknown -> 554 transaction failed', 'hard', '5.1.1'],
  ['5.1.1', '550 5.0.0 rejected', 'hard', '5.1.1'],
  // Whatever the last reply or the report calls temporary is.
  ['5.0.0', '550 5.1.1 user unknown -> 450 come back', 'soft', '5.1.1'],
  ['4.0.0', '550 user unknown', 'soft', '4.0.0'],
  // Words decide where the code leaves it open; weak ones do not outweigh a policy.
  ['5.0.0', '550 5.3.2 user unknown', 'soft', '5.3.2'],
  ['5.0.0', '550 5.7.1 user unknown', 'hard', '5.7.1'],
  ['5.0.0', '550 5.7.1 user bob not found', 'hard', '5.7.1'],
  ['5.0.0', '550 5.7.1 recipient rejected', 'soft', '5.7.1'],
  ['5.0.0', '550 5.1.0 recipient rejected', 'hard', '5.1.0'],
] as const)('status %s with %s is %s, by %s', (status, diagnostic, kind, code) => {
  expect(classifyBounce({ status, diagnostic })).toMatchObject({ kind, code });
});

test('a refusal in the session is judged as one in a report', () => {
  for (const { status, diagnostic, kind } of KNOWN_REPLIES) {
    if (diagnostic === null || status?.startsWith('4') || !/^5\d\d[ -]#?5\.\d/.test(diagnostic)) continue;
    expect([diagnostic, isHardRejection(diagnostic)]).toEqual([diagnostic, kind === 'hard']);
  }
  for (const answer of ['400 Invalid recipient address', '422 Recipient not found', 'No recipients defined'])
    expect(isHardRejection(answer)).toBe(false);
});

test.each(['550 ', '550-5.7.1 ', 'user ', 'a@', 'a.', '_said:_', ' ', '<', '5.', 'ﷺ', '550 (5.1.0 user '])(
  'two million of %p are read within bounds',
  (unit) => {
    const diagnostic = unit.repeat(2_000_000 / unit.length);
    expect(classifyBounce({ status: diagnostic, diagnostic }).kind).toBe('soft');
  },
);

test.each([
  ['5.1.1', 'hard'],
  ['5.1.2', 'hard'],
  ['5.1.3', 'hard'],
  ['5.1.6', 'hard'],
  ['5.1.7', 'soft'],
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
  ['5.0.0', 'soft'],
  ['4.1.1', 'soft'],
  ['4.2.2', 'soft'],
  ['4.7.28', 'soft'],
])('the code %s alone is %s, in a report and in the session', (code, kind) => {
  expect(classifyBounce({ status: code, diagnostic: null })).toMatchObject({ kind, code });
  expect(isHardRejection(`550 ${code} Requested action aborted`)).toBe(kind === 'hard');
});
