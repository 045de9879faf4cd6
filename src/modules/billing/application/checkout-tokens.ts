/** Issues checkout tokens and verifies those that come back: domain/checkout-token with the keys. */
import { Inject, Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { deriveKey } from '../../../platform/crypto/derived-key.js';
import { CHECKOUT_TOKEN_TTL_MS, readCheckoutToken, signCheckoutToken } from '../domain/checkout-token.js';

export interface CheckoutToken {
  readonly token: string;
  readonly expiresAt: Date;
}

@Injectable()
export class CheckoutTokens {
  /** The first key signs; all of them verify. */
  private readonly keys: readonly Buffer[];

  constructor(@Inject(RUNTIME_CONFIG) config: RuntimeConfig) {
    this.keys = config.tokenSecrets.map((secret) => deriveKey(secret, 'checkout'));
  }

  /** A token for a purchase by the workspace's owner. */
  issue({ workspaceId }: WorkspaceScope): CheckoutToken {
    const [key] = this.keys;
    if (!key) throw new TypeError('No key is configured for checkout tokens.');
    // Real time, because the provider's clock uses it.
    const expiresAt = new Date(Date.now() + CHECKOUT_TOKEN_TTL_MS);
    return { token: signCheckoutToken(workspaceId, expiresAt, key), expiresAt };
  }

  /** The workspace of a token that was valid at the time of the purchase; undefined for any other token. */
  workspaceOf(token: string, purchasedAt: Date): string | undefined {
    return readCheckoutToken(token, this.keys, purchasedAt);
  }
}
