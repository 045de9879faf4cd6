/** Keys for one purpose each, derived from one of the installation's secrets, so that none serves two purposes. */
import { hkdfSync } from 'node:crypto';

/**
 * A key of 32 bytes.
 * @param secret one of TOKEN_SECRET or API_KEY_SECRET.
 * @param purpose names what the key is for; another purpose gives an unrelated key.
 */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'waypost', purpose, 32));
}
