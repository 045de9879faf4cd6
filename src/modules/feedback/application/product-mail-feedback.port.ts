/** Where bounces and complaints of mail of the product's own go, which is not in the ledger. */
import type { FeedbackKind } from '../domain/feedback.js';
import type { Bounce } from '../../delivery/domain/engagement.js';

export interface ProductMailEvent {
  readonly kind: FeedbackKind | null;
  readonly bounce: Bounce | null;
}

export abstract class ProductMailFeedback {
  /**
   * Handles an event of the first of the candidates that is mail of the product's own.
   * @returns false where none is.
   */
  abstract take(candidates: readonly string[], event: ProductMailEvent): Promise<boolean>;
}
