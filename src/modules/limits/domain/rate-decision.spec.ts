import { assertAllowed, decisionOf, type WindowReading, tighter } from './rate-decision.js';

const NOW = 1_700_000_000_000;
const reading = (left: number, freesAt: number): WindowReading => ({
  window: 'key',
  limit: 60,
  left,
  freesAt,
});

test.each([
  ['the one with less room', reading(5, NOW), reading(4, NOW), 'other'],
  ['the first where both have the same room', reading(5, NOW), reading(5, NOW + 1), 'one'],
  ['of two that are full the one that frees later', reading(0, NOW), reading(0, NOW + 1), 'other'],
  [
    'of two that are full the one that frees later, whichever comes first',
    reading(0, NOW + 1),
    reading(0, NOW),
    'one',
  ],
  ['a full one, however soon it frees', reading(0, NOW), reading(1, NOW + 1), 'one'],
])('of two windows %s binds', (_, one, other, binding) => {
  expect(tighter(one, other)).toBe(binding === 'one' ? one : other);
});

test.each([
  [reading(3, NOW + 1_500), { allowed: true, remaining: 2, reset: 1_700_000_002, retryAfter: 0 }],
  [reading(0, NOW + 1_500), { allowed: false, remaining: 0, reset: 1_700_000_002, retryAfter: 2 }],
  [reading(0, NOW), { allowed: false, remaining: 0, reset: 1_700_000_000, retryAfter: 1 }],
  [undefined, { allowed: true, reset: 1_700_000_060, retryAfter: 0 }],
])('%j is decided as %j', (tightest, decision) => {
  expect(decisionOf(tightest, NOW)).toMatchObject(decision);
});

test('a refusal says when to come again', () => {
  const refused = decisionOf(reading(0, NOW + 1_500), NOW);
  expect(() => assertAllowed(refused)).toThrow(
    expect.objectContaining({ code: 'rate_limit_exceeded', fields: { retry_after: 2 } }),
  );
});
