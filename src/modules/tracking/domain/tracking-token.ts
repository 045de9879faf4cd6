/**
 * The signed token of a tracked link or image: its message, and the target of the link. Only the product can create
 * one, so the endpoints are not open redirects. The signature covers workspace, environment, message, target and
 * purpose. The token does not expire, since people keep mail and its links must work. It contains the version of the
 * key that signed it.
 */
import { createHmac } from 'node:crypto';
import { bytesOfUuid, readClaims, signClaims, uuidAt, UUID_BYTES } from '../../../kernel/signed-claims.js';
import type { Environment, TenantScope } from '../../../kernel/tenant-scope.js';

export interface TrackedMessage {
  readonly scope: TenantScope;
  readonly messageId: string;
}

export type Tracked =
  | ({ readonly kind: 'open' } & TrackedMessage)
  | ({
      readonly kind: 'click';
      /** An absolute http or https URL, as the URL standard serializes it. */
      readonly target: string;
    } & TrackedMessage);

/** The token key derived from one secret. */
export interface TrackingKey {
  /** Identifies the key in tokens without revealing it: 4 bytes. */
  readonly version: Buffer;
  readonly signing: Buffer;
}

const FORMAT = 1;
const KIND_BYTES: Readonly<Record<Tracked['kind'], number>> = { open: 1, click: 2 };
const ENVIRONMENT_BYTES: Readonly<Record<Environment, number>> = { live: 1, test: 2 };
const VERSION_OFFSET = 3;
const VERSION_BYTES = 4;
const HEADER_BYTES = VERSION_OFFSET + VERSION_BYTES + 2 * UUID_BYTES;

export function trackingKey(signing: Buffer): TrackingKey {
  const version = createHmac('sha256', signing).update('version').digest().subarray(0, VERSION_BYTES);
  return { version, signing };
}

/** The token, signed with the first key; it needs no escaping in a URL. */
export function signTracked(tracked: Tracked, keys: readonly TrackingKey[]): string {
  const [first] = keys;
  if (!first) throw new TypeError('A tracked link needs a key.');
  const { kind, scope, messageId } = tracked;
  const claims = Buffer.concat([
    Buffer.from([FORMAT, KIND_BYTES[kind], ENVIRONMENT_BYTES[scope.environment]]),
    first.version,
    bytesOfUuid(scope.workspaceId),
    bytesOfUuid(messageId),
    Buffer.from(tracked.kind === 'click' ? tracked.target : ''),
  ]);
  return signClaims(claims, first.signing);
}

/** The content of a token; undefined unless one of the keys signed exactly these bytes. */
export function readTracked(token: string, keys: readonly TrackingKey[]): Tracked | undefined {
  const claims = readClaims(token, HEADER_BYTES, (read) => {
    const keyVersion = read.subarray(VERSION_OFFSET, VERSION_OFFSET + VERSION_BYTES);
    return keys.filter(({ version }) => version.equals(keyVersion)).map(({ signing }) => signing);
  });
  if (!claims || claims[0] !== FORMAT) return undefined;
  const environment = claims[2] === ENVIRONMENT_BYTES.live ? 'live' : 'test';
  const message = {
    scope: { workspaceId: uuidAt(claims, VERSION_OFFSET + VERSION_BYTES), environment },
    messageId: uuidAt(claims, VERSION_OFFSET + VERSION_BYTES + UUID_BYTES),
  } as const;
  return claims[1] === KIND_BYTES.open
    ? { kind: 'open', ...message }
    : { kind: 'click', ...message, target: claims.toString('utf8', HEADER_BYTES) };
}
