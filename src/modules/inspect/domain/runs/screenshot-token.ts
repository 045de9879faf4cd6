/**
 * The signed token in a screenshot's link: a browser sends no credentials for an image on a page, so the link contains
 * one. It is bound to workspace and screenshot, and is valid for an hour of real time.
 */
import { HOUR } from '../../../../kernel/duration.js';
import { bytesOfUuid, readClaims, signClaims, uuidAt, UUID_BYTES } from '../../../../kernel/signed-claims.js';

export interface ScreenshotClaim {
  readonly workspaceId: string;
  readonly screenshotId: string;
}

/** How long a link is valid, in milliseconds. */
export const LINK_LIFE = HOUR;

const FORMAT = 1;
const EXPIRY_AT = 1 + 2 * UUID_BYTES;
/** The number of bytes of the expiry, which is in seconds since 1970. */
const EXPIRY = 6;

/** @param now real time, in milliseconds since 1970. */
export function signScreenshot(
  { workspaceId, screenshotId }: ScreenshotClaim,
  key: Buffer,
  now: number,
): string {
  const expiry = Buffer.alloc(EXPIRY);
  expiry.writeUIntBE(Math.ceil((now + LINK_LIFE) / 1_000), 0, EXPIRY);
  const claims = [Buffer.from([FORMAT]), bytesOfUuid(workspaceId), bytesOfUuid(screenshotId), expiry];
  return signClaims(Buffer.concat(claims), key);
}

/** The claim of a token; undefined when none of the keys signed it, or it has expired. */
export function readScreenshot(
  token: string,
  keys: readonly Buffer[],
  now: number,
): ScreenshotClaim | undefined {
  const claims = readClaims(token, EXPIRY_AT + EXPIRY, () => keys);
  if (claims?.length !== EXPIRY_AT + EXPIRY || claims[0] !== FORMAT) return undefined;
  if (claims.readUIntBE(EXPIRY_AT, EXPIRY) * 1_000 <= now) return undefined;
  return { workspaceId: uuidAt(claims, 1), screenshotId: uuidAt(claims, 1 + UUID_BYTES) };
}
