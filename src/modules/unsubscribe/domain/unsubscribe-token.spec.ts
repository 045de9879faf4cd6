import { randomBytes } from 'node:crypto';
import { readUnsubscribeToken, signUnsubscribeToken } from './unsubscribe-token.js';

const KEYS = [Buffer.alloc(32, 7)];
const NEW_KEY = Buffer.alloc(32, 8);
const UNSUBSCRIBER = {
  scope: { workspaceId: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee1', environment: 'live' as const },
  contactId: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee2',
};
const TOKEN = signUnsubscribeToken(UNSUBSCRIBER, KEYS);

describe('the unsubscribe token', () => {
  test.each(['live', 'test'] as const)('reads back in %s, and needs no escaping', (environment) => {
    const unsubscriber = { ...UNSUBSCRIBER, scope: { ...UNSUBSCRIBER.scope, environment } };
    const token = signUnsubscribeToken(unsubscriber, KEYS);
    expect(token).toMatch(/^[\w-]{88}$/);
    expect(readUnsubscribeToken(token, KEYS)).toEqual(unsubscriber);
  });

  test('is refused when any one bit of any character is another', () => {
    for (let at = 0; at < TOKEN.length; at++)
      for (let bit = 0; bit < 8; bit++) {
        const character = String.fromCharCode(TOKEN.charCodeAt(at) ^ (1 << bit));
        expect(
          readUnsubscribeToken(TOKEN.slice(0, at) + character + TOKEN.slice(at + 1), KEYS),
        ).toBeUndefined();
      }
  });

  test.each([
    '',
    'x',
    `${TOKEN}A`,
    `${TOKEN}=`,
    TOKEN.slice(1),
    ` ${TOKEN}`,
    randomBytes(66).toString('base64url'),
  ])('refuses %j', (token) => {
    expect(readUnsubscribeToken(token, KEYS)).toBeUndefined();
  });

  test('is refused under another key', () => {
    expect(readUnsubscribeToken(TOKEN, [NEW_KEY])).toBeUndefined();
    expect(readUnsubscribeToken(TOKEN, [])).toBeUndefined();
  });

  test('outlives a rotation while the old key is listed, and is signed anew with the first', () => {
    expect(readUnsubscribeToken(TOKEN, [NEW_KEY, ...KEYS])).toEqual(UNSUBSCRIBER);
    const renewed = signUnsubscribeToken(UNSUBSCRIBER, [NEW_KEY, ...KEYS]);
    expect(renewed).not.toBe(TOKEN);
    expect(readUnsubscribeToken(renewed, [NEW_KEY])).toEqual(UNSUBSCRIBER);
  });

  test('names UUIDs only', () => {
    expect(() => signUnsubscribeToken({ ...UNSUBSCRIBER, contactId: 'u1' }, KEYS)).toThrow(TypeError);
  });
});
