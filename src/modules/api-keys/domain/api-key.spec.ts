/** Tests the format of a key, section 5. */
import fc from 'fast-check';
import { hintOf, hasKeyFormat, KEY_BYTES, formatKey } from './api-key.js';

test('every key that is written is recognised, and shows its environment and its end', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: KEY_BYTES, maxLength: KEY_BYTES }),
      fc.constantFrom('live' as const, 'test' as const),
      (random, environment) => {
        const key = formatKey(environment, random);
        expect(hasKeyFormat(key)).toBe(true);
        expect(key).toMatch(new RegExp(`^psk_${environment}_[0-9a-f]{32}$`));
        expect(key.endsWith(hintOf(key))).toBe(true);
      },
    ),
  );
});

test.each([
  '',
  'psk_live_',
  'psk_live_0123456789ABCDEF0123456789ABCDEF',
  'psk_prod_0123456789abcdef0123456789abcdef',
  'psk_live_0123456789abcdef0123456789abcde',
  'psk_live_0123456789abcdef0123456789abcdef0',
  'psk_live_0123456789abcdef0123456789abcdef\n',
])('%p is no key', (text) => expect(hasKeyFormat(text)).toBe(false));
