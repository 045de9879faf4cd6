/** Keys for one purpose each, derived from the installation's secret, so that none serves two purposes. */
import { hkdfSync } from 'node:crypto';

/**
 * A key of 32 bytes.
 * @param secret the installation's TOKEN_SECRET.
 * @param purpose names what the key is for; another purpose gives an unrelated key.
 */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'waypost', purpose, 32));
}
