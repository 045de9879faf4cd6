import { randomBytes } from 'node:crypto';
import {
  NONCE_BYTES,
  readUnsubscribeToken,
  signUnsubscribeToken,
  tokenKeys,
  type TokenKeys,
} from './unsubscribe-token.js';

const KEYS = [tokenKeys(Buffer.alloc(32, 7), Buffer.alloc(32, 70))];
const NEW_KEY = tokenKeys(Buffer.alloc(32, 8), Buffer.alloc(32, 80));
const UNSUBSCRIBER = {
  scope: { workspaceId: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee1', environment: 'live' as const },
  contactId: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee2',
  sentTo: 'ada@bücher.example',
  messageId: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee3',
};
/** A token of an early format, without an address, signed under the first of KEYS. */
const OLD_TOKEN = 'AQEBkKXSfD57YZo-T18MD_7hAZCl0nw-e2GaPk9fDA_-4lXJeEKSeWL9mXBb18dbjSg0AHbQQAl8IIK5DySj3An_';
/** A token of the second format, without the email's id and the key version, signed under the same key. */
const SECOND_TOKEN =
  'AgEBkKXSfD57YZo-T18MD_7hAZCl0nw-e2GaPk9fDA_-4gkJCQkJCQkJCQkJCQkJCQm_2zXYooN58qvObfv0ZgCYZgM_tO9BAuSjGTvzZ40_H1_mZ8hfZ4R0z3hyKkWR-ESqy0I';
const signed = (
  unsubscriber: Parameters<typeof signUnsubscribeToken>[0],
  keys: readonly TokenKeys[] = KEYS,
): string => signUnsubscribeToken(unsubscriber, keys, randomBytes(NONCE_BYTES));
const TOKEN = signed(UNSUBSCRIBER);

describe('the unsubscribe token', () => {
  test.each(['live', 'test'] as const)('reads back in %s, and needs no escaping', (environment) => {
    const unsubscriber = { ...UNSUBSCRIBER, scope: { ...UNSUBSCRIBER.scope, environment } };
    const token = signed(unsubscriber);
    expect(token).toMatch(/^[\w-]{162}$/);
    expect(readUnsubscribeToken(token, KEYS)).toEqual(unsubscriber);
  });

  test.each(['', 'a@b.c', 'ab@b.c', `${'ä'.repeat(250)}@b.c`])('keeps the address %j whole', (sentTo) => {
    const token = signed({ ...UNSUBSCRIBER, sentTo });
    expect(readUnsubscribeToken(token, KEYS)).toEqual({ ...UNSUBSCRIBER, sentTo });
  });

  test('shows nobody the address, nor whether two are the same', () => {
    expect(Buffer.from(TOKEN, 'base64url').toString()).not.toContain('example');
    const [one, other] = [TOKEN, signed(UNSUBSCRIBER)].map((token) =>
      Buffer.from(token, 'base64url').subarray(54, -32).toString('hex'),
    );
    expect(one).not.toBe(other);
  });

  test('is read when it was made before addresses were named', () => {
    const known = { ...UNSUBSCRIBER, sentTo: null, messageId: null };
    expect(readUnsubscribeToken(OLD_TOKEN, KEYS)).toEqual(known);
    expect(readUnsubscribeToken(OLD_TOKEN, [NEW_KEY, ...KEYS])).toEqual(known);
  });

  test('is read when it was made before emails and keys were named', () => {
    const known = { ...UNSUBSCRIBER, messageId: null };
    expect(readUnsubscribeToken(SECOND_TOKEN, KEYS)).toEqual(known);
    expect(readUnsubscribeToken(SECOND_TOKEN, [NEW_KEY, ...KEYS])).toEqual(known);
  });

  test('names no email where there is none in the ledger', () => {
    const token = signed({ ...UNSUBSCRIBER, messageId: null });
    expect(readUnsubscribeToken(token, KEYS)).toEqual({ ...UNSUBSCRIBER, messageId: null });
  });

  test('says under which key it was signed, and tells nothing of that key', () => {
    const [key] = KEYS;
    const version = Buffer.from(TOKEN, 'base64url').subarray(2, 6);
    expect(version).toEqual(key!.version);
    expect(version).not.toEqual(NEW_KEY.version);
    expect(key!.signing.includes(version) || key!.encrypting.includes(version)).toBe(false);
    // A key with another key's version must not verify the signature.
    expect(readUnsubscribeToken(TOKEN, [{ ...NEW_KEY, version: key!.version }])).toBeUndefined();
    expect(readUnsubscribeToken(TOKEN, [{ ...key!, version: NEW_KEY.version }])).toBeUndefined();
  });

  test.each([TOKEN, OLD_TOKEN, SECOND_TOKEN, signed({ ...UNSUBSCRIBER, sentTo: 'a@b.c' })])(
    'is refused when any one bit of any character is another: %s',
    (token) => {
      for (let at = 0; at < token.length; at++)
        for (let bit = 0; bit < 8; bit++) {
          const character = String.fromCharCode(token.charCodeAt(at) ^ (1 << bit));
          const tampered = token.slice(0, at) + character + token.slice(at + 1);
          expect(readUnsubscribeToken(tampered, KEYS)).toBeUndefined();
        }
    },
  );

  test.each([
    '',
    'x',
    `${TOKEN}A`,
    `${TOKEN}=`,
    TOKEN.slice(1),
    ` ${TOKEN}`,
    randomBytes(66).toString('base64url'),
    randomBytes(20).toString('base64url'),
  ])('refuses %j', (token) => {
    expect(readUnsubscribeToken(token, KEYS)).toBeUndefined();
  });

  test('is refused under another key', () => {
    expect(readUnsubscribeToken(TOKEN, [NEW_KEY])).toBeUndefined();
    expect(readUnsubscribeToken(TOKEN, [])).toBeUndefined();
  });

  test('outlives a rotation while the old key is listed, and is signed anew with the first', () => {
    expect(readUnsubscribeToken(TOKEN, [NEW_KEY, ...KEYS])).toEqual(UNSUBSCRIBER);
    const renewed = signed(UNSUBSCRIBER, [NEW_KEY, ...KEYS]);
    expect(renewed).not.toBe(TOKEN);
    expect(readUnsubscribeToken(renewed, [NEW_KEY])).toEqual(UNSUBSCRIBER);
  });

  test('names UUIDs only', () => {
    expect(() => signed({ ...UNSUBSCRIBER, contactId: 'u1' })).toThrow(TypeError);
  });
});
