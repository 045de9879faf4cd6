/** Builds and reads the unsubscribe links in commercial email, sections 4.8 and 4.10. */
import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { deriveKey } from '../../../platform/crypto/derived-key.js';
import {
  NONCE_BYTES,
  readUnsubscribeToken,
  signUnsubscribeToken,
  tokenKeys,
  UNSUBSCRIBE_PATH,
  type TokenKeys,
  type Unsubscriber,
} from '../domain/unsubscribe-token.js';

@Injectable()
export class UnsubscribeLinks {
  /** The first key signs. */
  private readonly keys: readonly TokenKeys[];

  constructor(@Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig) {
    this.keys = config.tokenSecrets.map((secret) =>
      tokenKeys(deriveKey(secret, 'unsubscribe'), deriveKey(secret, 'unsubscribe address')),
    );
  }

  /**
   * The absolute URL that unsubscribes the contact.
   * @param sentTo the address that the email with this link is sent to.
   * @param messageId the email's id in the ledger; null if it is not in the ledger.
   */
  urlFor(scope: TenantScope, contactId: string, sentTo: string, messageId: string | null = null): string {
    const token = signUnsubscribeToken(
      { scope, contactId, sentTo, messageId },
      this.keys,
      randomBytes(NONCE_BYTES),
    );
    return `${this.config.baseUrl}${this.pathOf(token)}`;
  }

  /** The URL of a token, without the service's base URL. */
  pathOf(token: string): string {
    return UNSUBSCRIBE_PATH + this.queryOf(token);
  }

  /**
   * The relative URL of a token's page, for links to itself: BASE_URL may have a path that a proxy removes, so the
   * service does not see it.
   */
  queryOf(token: string): string {
    return `?token=${encodeURIComponent(token)}`;
  }

  /** The contact that a token identifies; undefined if the token is not valid. */
  read(token: string): Unsubscriber | undefined {
    return readUnsubscribeToken(token, this.keys);
  }
}
