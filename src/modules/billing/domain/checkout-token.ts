/**
 * The signed token of a checkout: it proves that a purchase was made by the workspace's owner. It belongs to one
 * workspace and is valid for purchases within a day of real time. The checkout passes it to the provider, whose events
 * return it.
 */
import { DAY } from '../../../kernel/duration.js';
import { bytesOfUuid, readClaims, signClaims, uuidAt, UUID_BYTES } from '../../../kernel/signed-claims.js';

/** Milliseconds after a token is issued within which a purchase may start. */
export const CHECKOUT_TOKEN_TTL_MS = DAY;

/** Seconds since 1970. */
const EXPIRY_BYTES = 6;
const CLAIM_BYTES = UUID_BYTES + EXPIRY_BYTES;

/** @param key the signing key. */
export function signCheckoutToken(workspaceId: string, expiresAt: Date, key: Buffer): string {
  const expiry = Buffer.alloc(EXPIRY_BYTES);
  expiry.writeUIntBE(Math.floor(expiresAt.getTime() / 1_000), 0, EXPIRY_BYTES);
  return signClaims(Buffer.concat([bytesOfUuid(workspaceId), expiry]), key);
}

/**
 * The workspace of a token; undefined if no key has signed it, or if the purchase was made after it expired.
 * @param purchasedAt by the provider's clock.
 */
export function readCheckoutToken(
  token: string,
  keys: readonly Buffer[],
  purchasedAt: Date,
): string | undefined {
  const claims = readClaims(token, CLAIM_BYTES, () => keys);
  if (claims?.length !== CLAIM_BYTES) return undefined;
  if (purchasedAt.getTime() > claims.readUIntBE(UUID_BYTES, EXPIRY_BYTES) * 1_000) return undefined;
  return uuidAt(claims, 0);
}
