import { graver, optOutIn } from './opt-outs.js';

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
  expect(optOutIn(column, value)).toBe(expected);
});

test('the graver of two counts', () => {
  expect(graver(null, null)).toBeNull();
  expect(graver(null, 'unsubscribed')).toBe('unsubscribed');
  expect(graver('complained', 'bounced')).toBe('complained');
  expect(graver('unsubscribed', 'bounced')).toBe('bounced');
});
