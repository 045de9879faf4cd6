/**
 * The signed token of an unsubscribe link, sections 4.8 and 5: it names a contact, the email that it was in and the address
 * that this went to, encrypted, and is the only authorization. It does not expire, since mail is kept and its link must
 * work. It says under which key it was signed; the formats of earlier releases, which do not, are read still.
 */
import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { isUuid, type Environment, type TenantScope } from '../../../kernel/tenant-scope.js';

/** Where the endpoint is, below the service's base address. */
export const UNSUBSCRIBE_PATH = '/v1/public/unsubscribe';

export interface Unsubscriber {
  readonly scope: TenantScope;
  readonly contactId: string;
  /** Where the email went; null in links that were made before they named it. */
  readonly sentTo: string | null;
  /** The email's id in the ledger; null in links that were made before they named it, and of mail outside of it. */
  readonly messageId: string | null;
}

/** What one secret gives for tokens. */
export interface TokenKeys {
  /** Names the keys in tokens, and tells nothing of them: 4 bytes. */
  readonly version: Buffer;
  /** 32 bytes. */
  readonly signing: Buffer;
  /** Encrypts addresses: 32 bytes. */
  readonly sealing: Buffer;
}

/** Formats, by their first byte, of which a second one had the address and nothing else more; then the environment's. */
const WITHOUT_ADDRESS = 1;
const WITH_KEY_VERSION = 3;
const ENVIRONMENT_BYTES: Readonly<Record<Environment, number>> = { live: 1, test: 2 };
const START = 2;
const KEY_VERSION = 4;
const UUID = 16;
const SIGNATURE = 32;
const CIPHER = 'aes-256-ctr';
/** Random bytes in a token, without which those of one person would all seal the address alike. */
export const CHANCE = 16;
const NOTHING = Buffer.alloc(UUID);

/** The keys of a secret. */
export function tokenKeys(signing: Buffer, sealing: Buffer): TokenKeys {
  const version = createHmac('sha256', signing).update('version').digest().subarray(0, KEY_VERSION);
  return { version, signing, sealing };
}

/**
 * The token, signed with the first keys: it needs no escaping in an address.
 * @param chance CHANCE random bytes.
 */
export function signUnsubscribeToken(
  { scope, contactId, sentTo, messageId }: Unsubscriber & { readonly sentTo: string },
  keys: readonly TokenKeys[],
  chance: Buffer,
): string {
  const [first] = keys;
  if (!first) throw new TypeError('An unsubscribe token needs a key.');
  if (chance.length !== CHANCE) throw new TypeError(`An unsubscribe token needs ${CHANCE} random bytes.`);
  const cipher = createCipheriv(CIPHER, first.sealing, chance);
  const claims = Buffer.concat([
    Buffer.from([WITH_KEY_VERSION, ENVIRONMENT_BYTES[scope.environment]]),
    first.version,
    bytesOf(scope.workspaceId),
    bytesOf(contactId),
    messageId === null ? NOTHING : bytesOf(messageId),
    chance,
    cipher.update(sentTo, 'utf8'),
    cipher.final(),
  ]);
  return Buffer.concat([claims, signatureOf(claims, first)]).toString('base64url');
}

/**
 * Whom the token names; undefined unless every bit of it is as one of the keys signed it. Of a token that names no key all
 * are tried, whichever fits: how long it takes tells nothing.
 */
export function readUnsubscribeToken(token: string, keys: readonly TokenKeys[]): Unsubscriber | undefined {
  const bytes = Buffer.from(token, 'base64url');
  // Written in the one way there is: the last character has bits that count for nothing.
  if (bytes.length < START + 2 * UUID + SIGNATURE || bytes.toString('base64url') !== token) return undefined;
  const claims = bytes.subarray(0, -SIGNATURE);
  const signature = bytes.subarray(-SIGNATURE);
  const isVersioned = claims[0] === WITH_KEY_VERSION;
  const named = claims.subarray(START, START + KEY_VERSION);
  const candidates = isVersioned ? keys.filter(({ version }) => version.equals(named)) : keys;
  const [signer] = candidates.filter((key) => timingSafeEqual(signature, signatureOf(claims, key)));
  if (!signer) return undefined;
  const environment = claims[1] === ENVIRONMENT_BYTES.live ? 'live' : 'test';
  const from = isVersioned ? START + KEY_VERSION : START;
  const part = (place: number): Buffer => claims.subarray(from + place * UUID, from + (place + 1) * UUID);
  const rest = claims.subarray(from + (isVersioned ? 3 : 2) * UUID);
  return {
    scope: { workspaceId: uuidOf(part(0)), environment },
    contactId: uuidOf(part(1)),
    sentTo: claims[0] === WITHOUT_ADDRESS ? null : addressIn(rest, signer),
    messageId: isVersioned && !part(2).equals(NOTHING) ? uuidOf(part(2)) : null,
  };
}

function addressIn(sealed: Buffer, { sealing }: TokenKeys): string {
  const decipher = createDecipheriv(CIPHER, sealing, sealed.subarray(0, CHANCE));
  return Buffer.concat([decipher.update(sealed.subarray(CHANCE)), decipher.final()]).toString('utf8');
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
