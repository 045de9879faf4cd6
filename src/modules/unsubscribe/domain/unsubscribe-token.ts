/**
 * The signed token of an unsubscribe link, sections 4.8 and 5: it names a contact and is the only authorization. It
 * does not expire, since mail is kept and its link must work.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isUuid, type Environment, type TenantScope } from '../../../kernel/tenant-scope.js';

export interface Unsubscriber {
  readonly scope: TenantScope;
  readonly contactId: string;
}

const VERSION = 1;
const ENVIRONMENT_BYTES: Readonly<Record<Environment, number>> = { live: 1, test: 2 };
const CLAIMS = 34;
/** Claims and a signature of 32 bytes: a multiple of three, so that base64url has no bits left over to tamper with. */
const LENGTH = 66;

/** The token, signed with the first key: 88 characters that need no escaping in an address. */
export function signUnsubscribeToken({ scope, contactId }: Unsubscriber, keys: readonly Buffer[]): string {
  const [key] = keys;
  if (!key) throw new TypeError('An unsubscribe token needs a key.');
  const claims = Buffer.concat([
    Buffer.from([VERSION, ENVIRONMENT_BYTES[scope.environment]]),
    bytesOf(scope.workspaceId),
    bytesOf(contactId),
  ]);
  return Buffer.concat([claims, signatureOf(claims, key)]).toString('base64url');
}

/**
 * Whom the token names; undefined unless every bit of it is as one of the keys signed it. All keys are tried, whichever
 * fits: how long it takes tells nothing.
 */
export function readUnsubscribeToken(token: string, keys: readonly Buffer[]): Unsubscriber | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== LENGTH || bytes.toString('base64url') !== token) return undefined;
  const claims = bytes.subarray(0, CLAIMS);
  const signature = bytes.subarray(CLAIMS);
  const fitting = keys.filter((key) => timingSafeEqual(signature, signatureOf(claims, key)));
  if (fitting.length === 0) return undefined;
  const environment = claims[1] === ENVIRONMENT_BYTES.live ? 'live' : 'test';
  return {
    scope: { workspaceId: uuidOf(claims.subarray(2, 18)), environment },
    contactId: uuidOf(claims.subarray(18, 34)),
  };
}

function signatureOf(claims: Buffer, key: Buffer): Buffer {
  return createHmac('sha256', key).update(claims).digest();
}

function bytesOf(uuid: string): Buffer {
  if (!isUuid(uuid)) throw new TypeError('An unsubscribe token names a workspace and a contact by UUID.');
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
