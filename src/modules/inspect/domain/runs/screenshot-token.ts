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
export const LINK_TTL_MS = HOUR;

const FORMAT = 1;
const EXPIRY_OFFSET = 1 + 2 * UUID_BYTES;
/** The number of bytes of the expiry, which is in seconds since 1970. */
const EXPIRY_BYTES = 6;

/** @param now real time, in milliseconds since 1970. */
export function signScreenshot(
  { workspaceId, screenshotId }: ScreenshotClaim,
  key: Buffer,
  now: number,
): string {
  const expiry = Buffer.alloc(EXPIRY_BYTES);
  expiry.writeUIntBE(Math.ceil((now + LINK_TTL_MS) / 1_000), 0, EXPIRY_BYTES);
  const claims = [Buffer.from([FORMAT]), bytesOfUuid(workspaceId), bytesOfUuid(screenshotId), expiry];
  return signClaims(Buffer.concat(claims), key);
}

/** The claim of a token; undefined when none of the keys signed it, or it has expired. */
export function readScreenshot(
  token: string,
  keys: readonly Buffer[],
  now: number,
): ScreenshotClaim | undefined {
  const claims = readClaims(token, EXPIRY_OFFSET + EXPIRY_BYTES, () => keys);
  if (claims?.length !== EXPIRY_OFFSET + EXPIRY_BYTES || claims[0] !== FORMAT) return undefined;
  if (claims.readUIntBE(EXPIRY_OFFSET, EXPIRY_BYTES) * 1_000 <= now) return undefined;
  return { workspaceId: uuidAt(claims, 1), screenshotId: uuidAt(claims, 1 + UUID_BYTES) };
}
