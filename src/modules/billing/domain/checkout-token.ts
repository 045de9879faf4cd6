/**
 * The signed token of a checkout: it shows that a purchase is one of the workspace's owner. It is bound to the workspace, and
 * holds for purchases made within a day of real time. The checkout carries it to the provider, whose events bring it back.
 */
import { DAY } from '../../../kernel/duration.js';
import { bytesOfUuid, readClaims, signClaims, uuidAt, UUID_BYTES } from '../../../kernel/signed-claims.js';

/** Milliseconds from when a token is issued within which a purchase may begin. */
export const CHECKOUT_TOKEN_TTL_MS = DAY;

/** Seconds since 1970. */
const EXPIRY_BYTES = 6;
const CLAIM_BYTES = UUID_BYTES + EXPIRY_BYTES;

/** @param key the one that signs. */
export function signCheckoutToken(workspaceId: string, expiresAt: Date, key: Buffer): string {
  const expiry = Buffer.alloc(EXPIRY_BYTES);
  expiry.writeUIntBE(Math.floor(expiresAt.getTime() / 1_000), 0, EXPIRY_BYTES);
  return signClaims(Buffer.concat([bytesOfUuid(workspaceId), expiry]), key);
}

/**
 * The workspace of a token; undefined where no key has signed it, or the purchase came after its end.
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
