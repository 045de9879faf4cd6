/**
 * Encrypts secrets at rest: AES-256-GCM with a key derived for one purpose from one of the installation's secrets. The
 * ciphertext is bound to its storage location and cannot be decrypted elsewhere, so copying a row to another one gains
 * an attacker nothing.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { deriveKey } from './derived-key.js';

const ALGORITHM = 'aes-256-gcm';
const FORMAT = '1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

interface SealKey {
  /** Identifies the key without revealing anything about it. */
  readonly name: string;
  readonly key: Buffer;
}

/**
 * The ciphertext was changed, belongs to another location, or was encrypted with a key that is no longer configured.
 */
export class BrokenSeal extends Error {
  override readonly name = 'BrokenSeal';
}

export class Seal {
  private readonly keys: readonly SealKey[];

  /**
   * @param secrets ENCRYPTION_KEY: the first encrypts, all decrypt.
   * @param purpose names the kind of secret; ciphertexts of another purpose cannot be decrypted.
   */
  constructor(secrets: readonly string[], purpose: string) {
    this.keys = secrets.map((secret) => {
      const key = deriveKey(secret, purpose);
      return { key, name: createHmac('sha256', key).update('name').digest('base64url').slice(0, 8) };
    });
  }

  /**
   * Encrypts a secret as text for storage.
   * @param context the storage location, such as a record's id.
   */
  seal(secret: string, context: string): string {
    const { name, key } = this.first;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(associatedData(name, context));
    const sealed = [nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return [FORMAT, name, Buffer.concat(sealed).toString('base64url')].join('.');
  }

  /**
   * Decrypts a secret.
   * @throws BrokenSeal if it cannot be decrypted.
   */
  open(sealed: string, context: string): string {
    const [format, name = '', text = ''] = sealed.split('.');
    const found = this.keys.find((each) => each.name === name);
    if (format !== FORMAT || !found)
      throw new BrokenSeal('The key that this was sealed with is not configured.');
    const bytes = Buffer.from(text, 'base64url');
    try {
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(ALGORITHM, found.key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(associatedData(name, context));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      const secret = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([secret, decipher.final()]).toString('utf8');
    } catch (error) {
      throw new BrokenSeal('The sealed value was changed or moved.', { cause: error });
    }
  }

  /** Whether it is encrypted with the first key, so that the others are not needed for it. */
  isCurrent(sealed: string): boolean {
    return sealed.startsWith(`${FORMAT}.${this.first.name}.`);
  }

  private get first(): SealKey {
    const [first] = this.keys;
    if (!first) throw new TypeError('No key is configured for sealing.');
    return first;
  }
}

function associatedData(name: string, context: string): Buffer {
  return Buffer.from(`${FORMAT}.${name}.${context}`);
}
