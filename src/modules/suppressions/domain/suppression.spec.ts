import { addressKey, strongerReason, strongestOfEach, type NewSuppression } from './suppression.js';

const SINCE = new Date('2026-03-02T09:00:00.000Z');
const item = (email: string, reason: NewSuppression['reason'], by = 'm'): NewSuppression => ({
  email,
  reason,
  by,
  since: SINCE,
  note: null,
  emailLogId: null,
  contactId: null,
});

test.each([
  ['Ada@Example.COM', 'ada@example.com'],
  [' ada@bücher.example ', 'ada@xn--bcher-kva.example'],
  ['', undefined],
])('%p is compared as %p', (email, key) => {
  expect(addressKey(email)).toBe(key);
});

test('a complaint is stronger than a bounce, which is stronger than a word by hand', () => {
  expect(strongerReason('manual', 'hard_bounce')).toBe('hard_bounce');
  expect(strongerReason('complaint', 'hard_bounce')).toBe('complaint');
});

test('of several about one address the strongest is kept, among equals the first; addresses come in order', () => {
  const found = strongestOfEach([
    item('b@x.test', 'manual'),
    item('A@x.test', 'hard_bounce', 'first'),
    item('a@X.test', 'hard_bounce', 'second'),
    item('B@x.test', 'complaint'),
    item(' ', 'complaint'),
  ]);
  expect([...found].map(([address, { reason, by }]) => [address, reason, by])).toEqual([
    ['a@x.test', 'hard_bounce', 'first'],
    ['b@x.test', 'complaint', 'm'],
  ]);
});
