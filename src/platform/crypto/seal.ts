/**
 * Secrets at rest: AES-256-GCM under a key that is derived from one of the installation's secrets for one purpose. What
 * is sealed is bound to its place and opens nowhere else: whoever could only copy rows could make no use of another's.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { deriveKey } from './derived-key.js';

const ALGORITHM = 'aes-256-gcm';
const FORMAT = '1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

interface SealKey {
  /** What the key is recognised by; says nothing about it. */
  readonly name: string;
  readonly key: Buffer;
}

/** What is sealed was changed, stands in another's place, or was sealed under a key that is not given any more. */
export class BrokenSeal extends Error {
  override readonly name = 'BrokenSeal';
}

export class Seal {
  private readonly keys: readonly SealKey[];

  /**
   * @param secrets ENCRYPTION_KEY: the first seals, every one opens.
   * @param purpose names what is sealed; what is sealed for another one does not open.
   */
  constructor(secrets: readonly string[], purpose: string) {
    this.keys = secrets.map((secret) => {
      const key = deriveKey(secret, purpose);
      return { key, name: createHmac('sha256', key).update('name').digest('base64url').slice(0, 8) };
    });
  }

  /**
   * The secret as text that may be stored.
   * @param place where it will be kept, such as a record's id.
   */
  seal(secret: string, place: string): string {
    const { name, key } = this.first;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(boundTo(name, place));
    const sealed = [nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return [FORMAT, name, Buffer.concat(sealed).toString('base64url')].join('.');
  }

  /**
   * The secret.
   * @throws BrokenSeal
   */
  open(sealed: string, place: string): string {
    const [format, name = '', text = ''] = sealed.split('.');
    const found = this.keys.find((each) => each.name === name);
    if (format !== FORMAT || !found)
      throw new BrokenSeal('The key that this was sealed with is not configured.');
    const bytes = Buffer.from(text, 'base64url');
    try {
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(ALGORITHM, found.key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(boundTo(name, place));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      const secret = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([secret, decipher.final()]).toString('utf8');
    } catch (error) {
      throw new BrokenSeal('The sealed value was changed or moved.', { cause: error });
    }
  }

  /** Whether it is sealed under the first key, so that the others are not needed for it. */
  isCurrent(sealed: string): boolean {
    return sealed.startsWith(`${FORMAT}.${this.first.name}.`);
  }

  private get first(): SealKey {
    const [first] = this.keys;
    if (!first) throw new TypeError('No key is configured for sealing.');
    return first;
  }
}

function boundTo(name: string, place: string): Buffer {
  return Buffer.from(`${FORMAT}.${name}.${place}`);
}
