/** Derives a key per purpose from one of the installation's secrets, so that no key serves two purposes. */
import { hkdfSync } from 'node:crypto';

/**
 * A key of 32 bytes.
 * @param secret one of TOKEN_SECRET or API_KEY_SECRET.
 * @param purpose names the use of the key; other purposes give unrelated keys.
 */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'waypost', purpose, 32));
}
