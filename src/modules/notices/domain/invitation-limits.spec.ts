import {
  checkInvitationLimits,
  INVITATION_WINDOW_MS,
  MAX_INVITATIONS_PER_DAY,
  MAX_INVITATIONS_PER_ADDRESS,
  MIN_INVITATION_INTERVAL_MS,
} from './invitation-limits.js';

const NOW = new Date('2026-03-02T09:00:00Z');
const ago = (milliseconds: number): Date => new Date(NOW.getTime() - milliseconds);

test('the first goes at once, the next to the same address after a pause, whatever its case', () => {
  expect(checkInvitationLimits('a@b.test', [], NOW)).toEqual({ kind: 'granted', from: NOW });
  const past = [{ to: 'A@B.test', at: ago(1_000) }];
  expect(checkInvitationLimits('a@b.test', past, NOW)).toEqual({
    kind: 'granted',
    from: ago(1_000 - MIN_INVITATION_INTERVAL_MS),
  });
  expect(checkInvitationLimits('c@b.test', past, NOW)).toEqual({ kind: 'granted', from: NOW });
  expect(
    checkInvitationLimits('a@b.test', [{ to: 'a@b.test', at: ago(MIN_INVITATION_INTERVAL_MS) }], NOW),
  ).toEqual({
    kind: 'granted',
    from: NOW,
  });
});

test('an address is sent so many a day, and again once the first of them is a day old', () => {
  const past = Array.from({ length: MAX_INVITATIONS_PER_ADDRESS }, (_, n) => ({
    to: 'a@b.test',
    at: ago((n + 1) * MIN_INVITATION_INTERVAL_MS),
  }));
  const until = ago(MAX_INVITATIONS_PER_ADDRESS * MIN_INVITATION_INTERVAL_MS - INVITATION_WINDOW_MS);
  expect(checkInvitationLimits('a@b.test', past, NOW)).toEqual({ kind: 'refused', until, reason: 'address' });
  expect(checkInvitationLimits('a@b.test', past.slice(1), NOW).kind).toBe('granted');
});

test('a workspace sends so many a day, to whomever', () => {
  const past = Array.from({ length: MAX_INVITATIONS_PER_DAY }, (_, n) => ({
    to: `p${n}@b.test`,
    at: ago(n * 1_000),
  }));
  const until = ago((MAX_INVITATIONS_PER_DAY - 1) * 1_000 - INVITATION_WINDOW_MS);
  expect(checkInvitationLimits('new@b.test', past, NOW)).toEqual({
    kind: 'refused',
    until,
    reason: 'workspace',
  });
  expect(checkInvitationLimits('new@b.test', past.slice(1), NOW).kind).toBe('granted');
});
