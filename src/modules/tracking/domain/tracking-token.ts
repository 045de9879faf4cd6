/**
 * The signed token of a tracked link or an open's image: which message it is of, and where the link leads. Nobody but the
 * product can make one, so that what takes it leads nowhere else; it is bound to workspace, environment, message, target,
 * and to what it is for. It does not expire, since mail is kept and its links must work. It names the key that signed it.
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
      /** An absolute http or https address, as the URL standard writes it. */
      readonly target: string;
    } & TrackedMessage);

/** What one secret gives for tokens. */
export interface TrackingKey {
  /** Names the key in tokens, and tells nothing of it: 4 bytes. */
  readonly version: Buffer;
  readonly signing: Buffer;
}

const FORMAT = 1;
const KIND_BYTES: Readonly<Record<Tracked['kind'], number>> = { open: 1, click: 2 };
const ENVIRONMENT_BYTES: Readonly<Record<Environment, number>> = { live: 1, test: 2 };
const START = 3;
const VERSION = 4;
const HEAD = START + VERSION + 2 * UUID_BYTES;

export function trackingKey(signing: Buffer): TrackingKey {
  const version = createHmac('sha256', signing).update('version').digest().subarray(0, VERSION);
  return { version, signing };
}

/** The token, signed with the first key: it needs no escaping in an address. */
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

/** What a token is of; undefined unless every bit of it is as one of the keys signed it. */
export function readTracked(token: string, keys: readonly TrackingKey[]): Tracked | undefined {
  const claims = readClaims(token, HEAD, (read) => {
    const named = read.subarray(START, START + VERSION);
    return keys.filter(({ version }) => version.equals(named)).map(({ signing }) => signing);
  });
  if (!claims || claims[0] !== FORMAT) return undefined;
  const environment = claims[2] === ENVIRONMENT_BYTES.live ? 'live' : 'test';
  const message = {
    scope: { workspaceId: uuidAt(claims, START + VERSION), environment },
    messageId: uuidAt(claims, START + VERSION + UUID_BYTES),
  } as const;
  return claims[1] === KIND_BYTES.open
    ? { kind: 'open', ...message }
    : { kind: 'click', ...message, target: claims.toString('utf8', HEAD) };
}
