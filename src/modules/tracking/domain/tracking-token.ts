/**
 * The signed token of a tracked link or an open's image: which message it is of, and where the link leads. Nobody but the
 * product can make one, so that what takes it leads nowhere else; it is bound to workspace, environment, message, target,
 * and to what it is for. It does not expire, since mail is kept and its links must work. It names the key that signed it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isUuid, type Environment, type TenantScope } from '../../../kernel/tenant-scope.js';

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
const UUID = 16;
const HEAD = START + VERSION + 2 * UUID;
/** 128 bits: links are long enough. */
const SIGNATURE = 16;

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
    bytesOf(scope.workspaceId),
    bytesOf(messageId),
    Buffer.from(tracked.kind === 'click' ? tracked.target : ''),
  ]);
  return Buffer.concat([claims, signatureOf(claims, first)]).toString('base64url');
}

/** What a token is of; undefined unless every bit of it is as one of the keys signed it. */
export function readTracked(token: string, keys: readonly TrackingKey[]): Tracked | undefined {
  const bytes = Buffer.from(token, 'base64url');
  // Written in the one way there is: the last character has bits that count for nothing.
  if (bytes.length < HEAD + SIGNATURE || bytes.toString('base64url') !== token) return undefined;
  const claims = bytes.subarray(0, -SIGNATURE);
  const named = claims.subarray(START, START + VERSION);
  const signer = keys.find(
    (key) =>
      key.version.equals(named) && timingSafeEqual(bytes.subarray(-SIGNATURE), signatureOf(claims, key)),
  );
  if (!signer || claims[0] !== FORMAT) return undefined;
  const environment = claims[2] === ENVIRONMENT_BYTES.live ? 'live' : 'test';
  const uuidAt = (at: number): string => uuidOf(claims.subarray(at, at + UUID));
  const message = {
    scope: { workspaceId: uuidAt(START + VERSION), environment },
    messageId: uuidAt(START + VERSION + UUID),
  } as const;
  return claims[1] === KIND_BYTES.open
    ? { kind: 'open', ...message }
    : { kind: 'click', ...message, target: claims.toString('utf8', HEAD) };
}

function signatureOf(claims: Buffer, { signing }: TrackingKey): Buffer {
  return createHmac('sha256', signing).update(claims).digest().subarray(0, SIGNATURE);
}

function bytesOf(uuid: string): Buffer {
  if (!isUuid(uuid)) throw new TypeError('A tracked link names workspaces and messages by UUID.');
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
