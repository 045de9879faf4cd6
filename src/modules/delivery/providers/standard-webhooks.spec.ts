import { createHmac, randomBytes } from 'node:crypto';
import { signedMessageId } from './standard-webhooks.js';

const [KEY, OTHER] = [randomBytes(32), randomBytes(32)];
const NOW = Date.parse('2026-03-02T09:00:00.000Z');
const BODY = Buffer.from('{"type":"email.delivered"}');

function sign(id: string, seconds: number | string, key = KEY, body = BODY): string {
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.`).update(body).digest('base64')}`;
}

function headers(
  more: Record<string, string | string[] | undefined> = {},
  seconds = NOW / 1_000,
  prefix = 'svix',
) {
  return {
    [`${prefix}-id`]: 'msg_1',
    [`${prefix}-timestamp`]: String(seconds),
    [`${prefix}-signature`]: sign('msg_1', seconds),
    ...more,
  };
}
const signedAs = (id: string) => headers({ 'svix-id': id, 'svix-signature': sign(id, NOW / 1_000) });
const signedAt = (seconds: string) =>
  headers({ 'svix-timestamp': seconds, 'svix-signature': sign('msg_1', seconds) });
const read = (given: Record<string, string | string[] | undefined>, keys = [KEY], body = BODY) =>
  signedMessageId(given, body, keys, NOW);

test('the example of the Standard Webhooks specification’s own libraries', () => {
  const key = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
  const given = {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  };
  const body = Buffer.from('{"test": 2432232314}');
  expect(signedMessageId(given, body, [key], 1_614_265_330_000)).toBe('msg_p5jXN8AQM9LWM0D4loKWxJek');
});

test('either name of the headers, any of the keys, any of the signatures', () => {
  expect(read(headers())).toBe('msg_1');
  expect(read(headers({}, NOW / 1_000, 'webhook'))).toBe('msg_1');
  expect(read(headers(), [OTHER, KEY])).toBe('msg_1');
  const both = `${sign('msg_1', NOW / 1_000, OTHER)} v2,x v1a,y ${sign('msg_1', NOW / 1_000)}`;
  expect(read(headers({ 'svix-signature': both }))).toBe('msg_1');
});

test.each<[string, Record<string, string | string[] | undefined>]>([
  ['no id', headers({ 'svix-id': undefined })],
  ['no moment', headers({ 'svix-timestamp': undefined })],
  ['no signature', headers({ 'svix-signature': undefined })],
  ['an empty signature', headers({ 'svix-signature': '' })],
  ['a signature twice', headers({ 'svix-signature': [sign('msg_1', NOW / 1_000)] })],
  ['another id', headers({ 'svix-id': 'msg_2' })],
  ['an id of nothing', signedAs('')],
  ['an id that is too long', signedAs('x'.repeat(257))],
  ['an id of more than visible ASCII', signedAs('msg 1')],
  ['another moment', headers({ 'svix-timestamp': String(NOW / 1_000 + 1) })],
  ['another version', headers({ 'svix-signature': sign('msg_1', NOW / 1_000).replace('v1', 'v2') })],
  ['a signature cut short', headers({ 'svix-signature': sign('msg_1', NOW / 1_000).slice(0, -1) })],
  ['another key', headers({ 'svix-signature': sign('msg_1', NOW / 1_000, OTHER) })],
  [
    'too many signatures',
    headers({ 'svix-signature': `${'v1,x '.repeat(16)}${sign('msg_1', NOW / 1_000)}` }),
  ],
  ['more than five minutes ago', headers({}, NOW / 1_000 - 301)],
  ['more than five minutes ahead', headers({}, NOW / 1_000 + 301)],
  ['a moment that is no number', signedAt('now')],
  ['a moment with more behind it', signedAt(`${NOW / 1_000}x`)],
  ['a moment with more before it', signedAt(`x${NOW / 1_000}`)],
])('refuses %s', (_name, given) => {
  expect(read(given)).toBeUndefined();
});

test('five minutes are borne, another body is not, and no key at all verifies nothing', () => {
  expect(read(headers({}, NOW / 1_000 - 300))).toBe('msg_1');
  expect(read(headers({}, NOW / 1_000 + 300))).toBe('msg_1');
  expect(read(signedAs('!'.repeat(256)))).toBe('!'.repeat(256));
  expect(read(headers(), [KEY], Buffer.from('{"type":"email.delivered"} '))).toBeUndefined();
  expect(read(headers(), [])).toBeUndefined();
});
