import { readTracked, signTracked, trackingKey, type Tracked } from './tracking-token.js';

const KEY = trackingKey(Buffer.alloc(32, 1));
const OTHER = trackingKey(Buffer.alloc(32, 2));
const MESSAGE = {
  scope: { workspaceId: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee1', environment: 'live' },
  messageId: '0190a5d2-7c3e-7b61-9a3e-4f5f0c0ffee2',
} as const;
const CLICK: Tracked = { kind: 'click', ...MESSAGE, target: 'https://acme.test/größe?a=1&b=2#part' };
const OPEN: Tracked = {
  kind: 'open',
  scope: { ...MESSAGE.scope, environment: 'test' },
  messageId: MESSAGE.messageId,
};

test.each([CLICK, OPEN])('what was signed is read, under an older key too', (tracked) => {
  const token = signTracked(tracked, [KEY]);
  expect(token).toMatch(/^[\w-]+$/);
  expect(readTracked(token, [KEY])).toEqual(tracked);
  expect(readTracked(token, [OTHER, KEY])).toEqual(tracked);
  expect(readTracked(token, [OTHER])).toBeUndefined();
});

test.each([CLICK, OPEN])('one changed bit, anywhere, is refused', (tracked) => {
  const bytes = Buffer.from(signTracked(tracked, [KEY]), 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    expect(readTracked(changed.toString('base64url'), [KEY])).toBeUndefined();
  }
});

test.each(['', 'x', '====', signTracked(CLICK, [KEY]).slice(0, -1), `${signTracked(CLICK, [KEY])}A`])(
  'what is no token is refused: %j',
  (token) => {
    expect(readTracked(token, [KEY])).toBeUndefined();
  },
);

test('a token has one spelling', () => {
  const token = signTracked(OPEN, [KEY]);
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const others = [...digits].map((digit) => token.slice(0, -1) + digit).filter((other) => other !== token);
  for (const other of others) expect(readTracked(other, [KEY])).toBeUndefined();
});
