/**
 * What shows that a purchase is one of the workspace's owner: the workspace and the end of the token's life, with a keyed
 * hash of both. The checkout carries it to the provider, whose events bring it back.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { DAY } from '../../../kernel/duration.js';
import { isUuid } from '../../../kernel/tenant-scope.js';

/** Milliseconds from when a token is issued within which a purchase may begin. */
export const CHECKOUT_TOKEN_TTL_MS = DAY;

const TOKEN = /^([0-9a-f-]{36})\.(\d{1,12})\.([\w-]{43})$/;

/** @param key the one that signs. */
export function signCheckoutToken(workspaceId: string, expiresAt: Date, key: Buffer): string {
  const claims = `${workspaceId}.${Math.floor(expiresAt.getTime() / 1_000)}`;
  return `${claims}.${signatureOf(claims, key).toString('base64url')}`;
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
  const [, workspaceId = '', expiry = '', given = ''] = TOKEN.exec(token) ?? [];
  if (!isUuid(workspaceId) || purchasedAt.getTime() > Number(expiry) * 1_000) return undefined;
  const signature = Buffer.from(given, 'base64url');
  const isOurs = keys.some((key) => {
    const own = signatureOf(`${workspaceId}.${expiry}`, key);
    return own.length === signature.length && timingSafeEqual(own, signature);
  });
  return isOurs ? workspaceId : undefined;
}

function signatureOf(claims: string, key: Buffer): Buffer {
  return createHmac('sha256', key).update(claims).digest();
}
