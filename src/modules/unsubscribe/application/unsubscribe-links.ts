/** The address that commercial email carries for unsubscribing, sections 4.8 and 4.10. */
import { Inject, Injectable } from '@nestjs/common';
import type { TenantScope } from '../../../kernel/tenant-scope.js';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { deriveKey } from '../../../platform/crypto/derived-key.js';
import {
  readUnsubscribeToken,
  signUnsubscribeToken,
  type Unsubscriber,
} from '../domain/unsubscribe-token.js';

/** Where the endpoint is, below the service's base address. */
export const UNSUBSCRIBE_PATH = '/v1/public/unsubscribe';

@Injectable()
export class UnsubscribeLinks {
  /** The first signs. */
  private readonly keys: readonly Buffer[];

  constructor(@Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig) {
    this.keys = config.tokenSecrets.map((secret) => deriveKey(secret, 'unsubscribe'));
  }

  /** The absolute address that unsubscribes the contact. */
  urlFor(scope: TenantScope, contactId: string): string {
    return `${this.config.baseUrl}${this.pathOf(signUnsubscribeToken({ scope, contactId }, this.keys))}`;
  }

  /** The address of a token, without the host. */
  pathOf(token: string): string {
    return `${UNSUBSCRIBE_PATH}?token=${encodeURIComponent(token)}`;
  }

  /** Whom a token names; undefined when it is not one of ours. */
  read(token: string): Unsubscriber | undefined {
    return readUnsubscribeToken(token, this.keys);
  }
}
