/** What outgoing mail bears so that what comes back can be told from forgeries: domain/feedback-token, with the keys. */
import { Inject, Injectable } from '@nestjs/common';
import { RUNTIME_CONFIG, type RuntimeConfig } from '../../../platform/config/config.js';
import { deriveKey } from '../../../platform/crypto/derived-key.js';
import { domainOf } from '../domain/email-address.js';
import { readFeedbackToken, returnPathOf, signFeedbackToken } from '../domain/feedback-token.js';

@Injectable()
export class FeedbackTokens {
  /** The first signs. */
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
   * Where a message comes back to: where RETURN_PATH_DOMAIN is given, an address of its own there, or at the return path of
   * the domain that it is from, so that both stay aligned.
   * @param returnPath where it comes back to otherwise.
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

  /** The message of a token; undefined where it is none of ours. */
  read(token: string): string | undefined {
    return readFeedbackToken(token, this.keys);
  }
}
