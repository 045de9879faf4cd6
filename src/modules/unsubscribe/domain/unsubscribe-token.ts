/**
 * The signed token of an unsubscribe link, sections 4.8 and 5. It names a contact, the email with the link, and,
 * encrypted, the address that it was sent to; it is the only authorization. It does not expire, since people keep
 * mail and its link must work. It contains its key's version; formats of earlier releases, which do not, can still be
 * read.
 */
import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { isUuid, type Environment, type TenantScope } from '../../../kernel/tenant-scope.js';

/** Path of the endpoint, below the service's base URL. */
export const UNSUBSCRIBE_PATH = '/v1/public/unsubscribe';

export interface Unsubscriber {
  readonly scope: TenantScope;
  readonly contactId: string;
  /** The address the email was sent to; null in links of the first format. */
  readonly sentTo: string | null;
  /** The email's id in the ledger; null in links of earlier formats, and for mail that is not in the ledger. */
  readonly messageId: string | null;
}

/** The token keys derived from one secret. */
export interface TokenKeys {
  /** Identifies the keys in tokens without revealing them: 4 bytes. */
  readonly version: Buffer;
  /** Signs tokens: 32 bytes. */
  readonly signing: Buffer;
  /** Encrypts addresses: 32 bytes. */
  readonly encrypting: Buffer;
}

/** Formats, given by the first byte; the second byte is the environment. Format 2 added only the address. */
const WITHOUT_ADDRESS = 1;
const WITH_KEY_VERSION = 3;
const ENVIRONMENT_BYTES: Readonly<Record<Environment, number>> = { live: 1, test: 2 };
const HEADER_BYTES = 2;
const KEY_VERSION_BYTES = 4;
const UUID_BYTES = 16;
const SIGNATURE_BYTES = 32;
const CIPHER = 'aes-256-ctr';
/**
 * Number of random bytes in a token; without them, equal addresses in the tokens of one person would be encrypted
 * alike.
 */
export const NONCE_BYTES = 16;
const NO_MESSAGE_ID = Buffer.alloc(UUID_BYTES);

/** Derives the keys of a secret. */
export function tokenKeys(signing: Buffer, encrypting: Buffer): TokenKeys {
  const version = createHmac('sha256', signing).update('version').digest().subarray(0, KEY_VERSION_BYTES);
  return { version, signing, encrypting };
}

/**
 * The token, signed with the first keys; it needs no escaping in a URL.
 * @param nonce CHANCE random bytes.
 */
export function signUnsubscribeToken(
  { scope, contactId, sentTo, messageId }: Unsubscriber & { readonly sentTo: string },
  keys: readonly TokenKeys[],
  nonce: Buffer,
): string {
  const [first] = keys;
  if (!first) throw new TypeError('An unsubscribe token needs a key.');
  if (nonce.length !== NONCE_BYTES)
    throw new TypeError(`An unsubscribe token needs ${NONCE_BYTES} random bytes.`);
  const cipher = createCipheriv(CIPHER, first.encrypting, nonce);
  const claims = Buffer.concat([
    Buffer.from([WITH_KEY_VERSION, ENVIRONMENT_BYTES[scope.environment]]),
    first.version,
    bytesOf(scope.workspaceId),
    bytesOf(contactId),
    messageId === null ? NO_MESSAGE_ID : bytesOf(messageId),
    nonce,
    cipher.update(sentTo, 'utf8'),
    cipher.final(),
  ]);
  return Buffer.concat([claims, signatureOf(claims, first)]).toString('base64url');
}

/**
 * The contact that the token identifies; undefined unless one of the keys signed exactly these bytes. For a token
 * without a key version all keys are always tried, so timing reveals nothing.
 */
export function readUnsubscribeToken(token: string, keys: readonly TokenKeys[]): Unsubscriber | undefined {
  const bytes = Buffer.from(token, 'base64url');
  // Only the canonical encoding is accepted: the last character has unused bits.
  if (bytes.length < HEADER_BYTES + 2 * UUID_BYTES + SIGNATURE_BYTES || bytes.toString('base64url') !== token)
    return undefined;
  const claims = bytes.subarray(0, -SIGNATURE_BYTES);
  const signature = bytes.subarray(-SIGNATURE_BYTES);
  const isVersioned = claims[0] === WITH_KEY_VERSION;
  const keyVersion = claims.subarray(HEADER_BYTES, HEADER_BYTES + KEY_VERSION_BYTES);
  const candidates = isVersioned ? keys.filter(({ version }) => version.equals(keyVersion)) : keys;
  const [signer] = candidates.filter((key) => timingSafeEqual(signature, signatureOf(claims, key)));
  if (!signer) return undefined;
  const environment = claims[1] === ENVIRONMENT_BYTES.live ? 'live' : 'test';
  const from = isVersioned ? HEADER_BYTES + KEY_VERSION_BYTES : HEADER_BYTES;
  const part = (index: number): Buffer =>
    claims.subarray(from + index * UUID_BYTES, from + (index + 1) * UUID_BYTES);
  const rest = claims.subarray(from + (isVersioned ? 3 : 2) * UUID_BYTES);
  return {
    scope: { workspaceId: uuidOf(part(0)), environment },
    contactId: uuidOf(part(1)),
    sentTo: claims[0] === WITHOUT_ADDRESS ? null : addressIn(rest, signer),
    messageId: isVersioned && !part(2).equals(NO_MESSAGE_ID) ? uuidOf(part(2)) : null,
  };
}

function addressIn(encrypted: Buffer, { encrypting }: TokenKeys): string {
  const decipher = createDecipheriv(CIPHER, encrypting, encrypted.subarray(0, NONCE_BYTES));
  return Buffer.concat([decipher.update(encrypted.subarray(NONCE_BYTES)), decipher.final()]).toString('utf8');
}

function signatureOf(claims: Buffer, { signing }: TokenKeys): Buffer {
  return createHmac('sha256', signing).update(claims).digest();
}

function bytesOf(uuid: string): Buffer {
  if (!isUuid(uuid))
    throw new TypeError('An unsubscribe token names workspaces, contacts and emails by UUID.');
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
