import { graver, statusIn } from './opt-outs.js';

test.each([
  ['status', 'unsubscribed', 'unsubscribed'],
  ['status', 'Unsubscribed ', 'unsubscribed'],
  ['status', 'opted_out', 'unsubscribed'],
  ['status', 'optedOut', 'unsubscribed'],
  ['status', 'Opted-Out', 'unsubscribed'],
  ['status', 'opt_out', 'unsubscribed'],
  ['status', 'cleaned', 'bounced'],
  ['status', 'hard_bounced', 'bounced'],
  ['status', 'complained', 'complained'],
  ['opted_out', 'true', 'unsubscribed'],
  ['opted_out', true, 'unsubscribed'],
  ['opted_out', 1, 'unsubscribed'],
  ['Email Opt-Out', 'Yes', 'unsubscribed'],
  ['emailOptOut', '1', 'unsubscribed'],
  ['unsubscribed', 'yes', 'unsubscribed'],
  ['Do Not Email', 'TRUE', 'unsubscribed'],
  ['hard_bounced', 'true', 'bounced'],
  ['has_complained', 'true', 'complained'],
  ['cleaned', '1', 'bounced'],
  ['unsub', 'true', 'unsubscribed'],
  ['optout_flag', 'y', 'unsubscribed'],
  ['abgemeldet', 'x', 'unsubscribed'],
  ['no_email', '1.0', 'unsubscribed'],
  ['do_not_email', 'T', 'unsubscribed'],
  ['Suppressed', 'on', 'unsubscribed'],
  ['block-listed', 'true', 'unsubscribed'],
  ['bounced', 1, 'bounced'],
  ['last_soft_bounce', '1', null],
  ['unsubscribed_at', '2026-01-02T03:04:05Z', 'unsubscribed'],
  ['status', 'bounce', 'bounced'],
  ['status', 'HARD BOUNCE', 'bounced'],
  ['status', 'hardbounce', 'bounced'],
  ['status', 'soft bounce', null],
  ['status', 'suppressed', 'unsubscribed'],
  ['status', 'global_unsubscribe', 'unsubscribed'],
  ['status', 'Do not mail', 'unsubscribed'],
  ['status', 'never_subscribed', 'unsubscribed'],
  ['status', 'Non-Subscribed', 'unsubscribed'],
  ['status', 'blocked', 'unsubscribed'],
  ['status', 'blocklisted', 'unsubscribed'],
  ['status', 'spam', 'complained'],
  ['status', 'Spam complaint', 'complained'],
  ['status', 'invalid', 'bounced'],
  ['status', 'Désabonné', 'unsubscribed'],
  ['accepts_marketing', 'no', 'unsubscribed'],
  ['subscribed', 'false', 'unsubscribed'],
  ['opted_out', 'false', null],
  ['opted_out', '0', null],
  ['opted_out', 'no', null],
  ['opted_in', 'true', null],
  ['subscribed', 'true', null],
  ['status', 'true', null],
  ['status', 'subscribed', null],
  ['status', 'unsubscribed later', null],
  ['status', { unsubscribed: true }, null],
])('%s: %j is %s', (column, value, expected) => {
  expect(statusIn(column, value).optOut).toBe(expected);
});

test.each([
  ['status', 'unsubscribed', true],
  ['status', 'Opted In', true],
  ['opted_out', 'no', true],
  ['opted_out', 'true', true],
  ['subscribed', '1', true],
  ['status', 'true', false],
  ['opted_out', 'perhaps', false],
  ['opted_out_at', '2026-01-02', false],
  ['status', { unsubscribed: true }, false],
])('%s: %j says nothing else: %s', (column, value, expected) => {
  expect(statusIn(column, value).isAll).toBe(expected);
});

test('the graver of two counts', () => {
  expect(graver(null, null)).toBeNull();
  expect(graver(null, 'unsubscribed')).toBe('unsubscribed');
  expect(graver('complained', 'bounced')).toBe('complained');
  expect(graver('unsubscribed', 'bounced')).toBe('bounced');
});
