/**
 * The signed token of an unsubscribe link, sections 4.8 and 5: it names a contact and the address that its email went
 * to, encrypted, and is the only authorization. It does not expire, since mail is kept and its link must work.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { isUuid, type Environment, type TenantScope } from '../../../kernel/tenant-scope.js';

export interface Unsubscriber {
  readonly scope: TenantScope;
  readonly contactId: string;
  /** Where the email went; null in links that were made before they named it. */
  readonly sentTo: string | null;
}

/** What one secret gives for tokens: a key of 32 bytes that signs, and one that encrypts addresses. */
export interface TokenKeys {
  readonly signing: Buffer;
  readonly sealing: Buffer;
}

const WITHOUT_ADDRESS = 1;
const WITH_ADDRESS = 2;
const ENVIRONMENT_BYTES: Readonly<Record<Environment, number>> = { live: 1, test: 2 };
/** Version, environment, workspace, contact. */
const HEAD = 34;
const SIGNATURE = 32;
const CIPHER = 'aes-256-ctr';
const INITIAL = 16;

/** The token, signed with the first keys: it needs no escaping in an address. */
export function signUnsubscribeToken(
  { scope, contactId, sentTo }: Unsubscriber & { readonly sentTo: string },
  keys: readonly TokenKeys[],
): string {
  const [first] = keys;
  if (!first) throw new TypeError('An unsubscribe token needs a key.');
  const initial = randomBytes(INITIAL);
  const cipher = createCipheriv(CIPHER, first.sealing, initial);
  const claims = Buffer.concat([
    Buffer.from([WITH_ADDRESS, ENVIRONMENT_BYTES[scope.environment]]),
    bytesOf(scope.workspaceId),
    bytesOf(contactId),
    initial,
    cipher.update(sentTo, 'utf8'),
    cipher.final(),
  ]);
  return Buffer.concat([claims, signatureOf(claims, first)]).toString('base64url');
}

/**
 * Whom the token names; undefined unless every bit of it is as one of the keys signed it. All keys are tried, whichever
 * fits: how long it takes tells nothing.
 */
export function readUnsubscribeToken(token: string, keys: readonly TokenKeys[]): Unsubscriber | undefined {
  const bytes = Buffer.from(token, 'base64url');
  // Written in the one way there is: the last character has bits that count for nothing.
  if (bytes.length < HEAD + SIGNATURE || bytes.toString('base64url') !== token) return undefined;
  const claims = bytes.subarray(0, -SIGNATURE);
  const signature = bytes.subarray(-SIGNATURE);
  const [signer] = keys.filter((key) => timingSafeEqual(signature, signatureOf(claims, key)));
  if (!signer) return undefined;
  const environment = claims[1] === ENVIRONMENT_BYTES.live ? 'live' : 'test';
  return {
    scope: { workspaceId: uuidOf(claims.subarray(2, 18)), environment },
    contactId: uuidOf(claims.subarray(18, HEAD)),
    sentTo: claims[0] === WITHOUT_ADDRESS ? null : addressIn(claims.subarray(HEAD), signer),
  };
}

function addressIn(sealed: Buffer, { sealing }: TokenKeys): string {
  const decipher = createDecipheriv(CIPHER, sealing, sealed.subarray(0, INITIAL));
  return Buffer.concat([decipher.update(sealed.subarray(INITIAL)), decipher.final()]).toString('utf8');
}

function signatureOf(claims: Buffer, { signing }: TokenKeys): Buffer {
  return createHmac('sha256', signing).update(claims).digest();
}

function bytesOf(uuid: string): Buffer {
  if (!isUuid(uuid)) throw new TypeError('An unsubscribe token names a workspace and a contact by UUID.');
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
