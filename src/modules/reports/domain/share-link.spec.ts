/** Tokens of share links: 256 bits, one spelling each. */
import fc from 'fast-check';
import { hashOfToken, isWellFormedToken, TOKEN_BYTES, writeToken } from './share-link.js';

const random = fc.uint8Array({ minLength: TOKEN_BYTES, maxLength: TOKEN_BYTES });

test('every token that is written is recognised, holds all of its bits, and has a hash of its own', () => {
  fc.assert(
    fc.property(random, random, (one, other) => {
      const token = writeToken(one);
      expect(isWellFormedToken(token)).toBe(true);
      expect(Buffer.from(token, 'base64url').equals(one)).toBe(true);
      expect(hashOfToken(token)).toMatch(/^[0-9a-f]{64}$/);
      expect(hashOfToken(token) === hashOfToken(writeToken(other))).toBe(Buffer.from(one).equals(other));
    }),
  );
});

test.each([
  '',
  'A'.repeat(42),
  'A'.repeat(44),
  `${'A'.repeat(42)}B`,
  `${'A'.repeat(42)}=`,
  `${'A'.repeat(43)}\n`,
])('%p is no token', (text) => expect(isWellFormedToken(text)).toBe(false));
