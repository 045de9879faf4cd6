import { answerTo, COUNTED_PAST, MOST_A_DAY, MOST_TO_ONE, PAUSE } from './invitation-bounds.js';

const NOW = new Date('2026-03-02T09:00:00Z');
const ago = (milliseconds: number): Date => new Date(NOW.getTime() - milliseconds);

test('the first goes at once, the next to the same address after a pause, whatever its case', () => {
  expect(answerTo('a@b.test', [], NOW)).toEqual({ kind: 'granted', from: NOW });
  const past = [{ to: 'A@B.test', at: ago(1_000) }];
  expect(answerTo('a@b.test', past, NOW)).toEqual({ kind: 'granted', from: ago(1_000 - PAUSE) });
  expect(answerTo('c@b.test', past, NOW)).toEqual({ kind: 'granted', from: NOW });
  expect(answerTo('a@b.test', [{ to: 'a@b.test', at: ago(PAUSE) }], NOW)).toEqual({
    kind: 'granted',
    from: NOW,
  });
});

test('an address is sent so many a day, and again once the first of them is a day old', () => {
  const past = Array.from({ length: MOST_TO_ONE }, (_, n) => ({ to: 'a@b.test', at: ago((n + 1) * PAUSE) }));
  const until = ago(MOST_TO_ONE * PAUSE - COUNTED_PAST);
  expect(answerTo('a@b.test', past, NOW)).toEqual({ kind: 'refused', until, reason: 'address' });
  expect(answerTo('a@b.test', past.slice(1), NOW).kind).toBe('granted');
});

test('a workspace sends so many a day, to whomever', () => {
  const past = Array.from({ length: MOST_A_DAY }, (_, n) => ({ to: `p${n}@b.test`, at: ago(n * 1_000) }));
  const until = ago((MOST_A_DAY - 1) * 1_000 - COUNTED_PAST);
  expect(answerTo('new@b.test', past, NOW)).toEqual({ kind: 'refused', until, reason: 'workspace' });
  expect(answerTo('new@b.test', past.slice(1), NOW).kind).toBe('granted');
});
