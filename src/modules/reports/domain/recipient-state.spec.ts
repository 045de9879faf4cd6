import { DAY } from '../../../kernel/duration.js';
import {
  MAX_CONFIRMATIONS,
  MAX_CONFIRMATIONS_TO_ONE,
  mayRequestConfirmation,
  statusOf,
  withinConfirmationLimits,
  type RecipientStatus,
  type StoredStatus,
} from './recipient-state.js';

test.each<[StoredStatus | undefined, boolean, boolean, RecipientStatus]>([
  [undefined, false, false, 'pending'],
  ['pending', false, false, 'pending'],
  ['confirmed', false, false, 'confirmed'],
  [undefined, true, false, 'confirmed'],
  ['pending', true, false, 'confirmed'],
  [undefined, true, true, 'suppressed'],
  ['confirmed', false, true, 'suppressed'],
  ['pending', false, true, 'suppressed'],
  ['stopped', true, false, 'stopped'],
  ['stopped', false, true, 'stopped'],
  ['bounced', true, true, 'bounced'],
  ['complained', true, false, 'complained'],
])('stored %s, member %s, suppressed %s: %s', (stored, isMember, isSuppressed, expected) => {
  const facts = { isMember, isSuppressed, hasComplained: false };
  expect(statusOf(stored && { status: stored }, facts)).toBe(expected);
});

test.each<[StoredStatus | undefined, RecipientStatus]>([
  [undefined, 'complained'],
  ['pending', 'complained'],
  // The recipient confirmed deliberately.
  ['confirmed', 'confirmed'],
])('who reported another report as spam, stored %s: %s', (stored, expected) => {
  const facts = { isMember: true, isSuppressed: false, hasComplained: true };
  expect(statusOf(stored && { status: stored }, facts)).toBe(expected);
});

const NOW = new Date('2026-03-02T09:00:00Z');
const asked = (confirmationsSent: number, daysAgo: number) => ({
  confirmationsSent,
  askedAt: new Date(NOW.getTime() - daysAgo * DAY),
});

test.each([
  ['never asked', undefined, false, true],
  ['mailed before as a member, never asked', { confirmationsSent: 0, askedAt: null }, false, true],
  ['asked, and the next date has come', asked(1, 30), false, false],
  ['asked, and named again the next day', asked(1, 1), true, false],
  ['asked, and named again after a week', asked(1, 7), true, true],
  ['asked three times', asked(3, 100), true, false],
])('%s', (_, stored, isNamedAnew, expected) => {
  expect(mayRequestConfirmation(stored, isNamedAnew, NOW)).toBe(expected);
});

test('a workspace asks so many addresses a day, and one address so often', () => {
  const past = Array.from({ length: MAX_CONFIRMATIONS - 2 }, (_, n) => `p${n}@x.test`);
  expect(withinConfirmationLimits(['a', 'b', 'c'], past)).toEqual(['a', 'b']);
  expect(withinConfirmationLimits(['a'], [...past, 'x', 'y'])).toEqual([]);
  const toOne = Array<string>(MAX_CONFIRMATIONS_TO_ONE).fill('a');
  expect(withinConfirmationLimits(['a', 'b'], toOne)).toEqual(['b']);
  expect(withinConfirmationLimits(['a', 'b'], toOne.slice(1))).toEqual(['a', 'b']);
});
