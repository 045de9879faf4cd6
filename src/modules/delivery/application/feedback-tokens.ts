/**
 * The signed tokens in outgoing mail that distinguish real bounces and complaints from forgeries: domain/feedback-token
 * with the keys.
 */
import { Inject, Injectable } from '@nestjs/common';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { deriveKey } from '../../../platform/crypto/derived-key.js';
import { domainOf } from '../domain/email-address.js';
import { readFeedbackToken, returnPathOf, signFeedbackToken } from '../domain/feedback-token.js';

@Injectable()
export class FeedbackTokens {
  /** The first key signs; all of them verify. */
  private readonly keys: readonly Buffer[];

  constructor(@Inject(RUNTIME_CONFIG) private readonly config: RuntimeConfig) {
    this.keys = config.tokenSecrets.map((secret) => deriveKey(secret, 'feedback'));
  }

  /** The token of a message. */
  of(logId: string): string {
    const [key] = this.keys;
    if (!key) throw new TypeError('No key is configured for feedback tokens.');
    return signFeedbackToken(logId, key);
  }

  /**
   * The return path of a message. With RETURN_PATH_DOMAIN, an address per message at that domain, or at the return path
   * of the From domain, so that both stay aligned.
   * @param returnPath the return path otherwise.
   */
  returnPathOf(
    token: string,
    { from, returnPath }: { readonly from: string; readonly returnPath: string },
  ): string {
    const { returnPathDomain } = this.config;
    if (returnPathDomain === undefined) return returnPath;
    const own = domainOf(returnPath);
    return returnPathOf(token, own.endsWith(`.${domainOf(from)}`) ? own : returnPathDomain);
  }

  /** The message of a token; undefined for a token that this product did not sign. */
  read(token: string): string | undefined {
    return readFeedbackToken(token, this.keys);
  }
}
