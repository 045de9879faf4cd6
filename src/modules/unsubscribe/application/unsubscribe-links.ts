/** The address that commercial email carries for unsubscribing, sections 4.8 and 4.10. */
import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { deriveKey } from '../../../platform/crypto/derived-key.js';
import {
  CHANCE,
  readUnsubscribeToken,
  signUnsubscribeToken,
  tokenKeys,
  UNSUBSCRIBE_PATH,
  type TokenKeys,
  type Unsubscriber,
} from '../domain/unsubscribe-token.js';

@Injectable()
export class UnsubscribeLinks {
  /** The first signs. */
  private readonly keys: readonly TokenKeys[];

  constructor(@Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig) {
    this.keys = config.tokenSecrets.map((secret) =>
      tokenKeys(deriveKey(secret, 'unsubscribe'), deriveKey(secret, 'unsubscribe address')),
    );
  }

  /**
   * The absolute address that unsubscribes the contact.
   * @param sentTo the address that the email with this link goes to.
   * @param messageId the email's id in the ledger; null where it is none of the ledger.
   */
  urlFor(scope: TenantScope, contactId: string, sentTo: string, messageId: string | null = null): string {
    const token = signUnsubscribeToken(
      { scope, contactId, sentTo, messageId },
      this.keys,
      randomBytes(CHANCE),
    );
    return `${this.config.baseUrl}${this.pathOf(token)}`;
  }

  /** The address of a token, without the service's base address. */
  pathOf(token: string): string {
    return UNSUBSCRIBE_PATH + this.queryOf(token);
  }

  /** Where the page of a token leads back to itself: BASE_URL may have a path, of which a proxy tells the service nothing. */
  queryOf(token: string): string {
    return `?token=${encodeURIComponent(token)}`;
  }

  /** Whom a token names; undefined when it is not one of ours. */
  read(token: string): Unsubscriber | undefined {
    return readUnsubscribeToken(token, this.keys);
  }
}
