/** Handles bounces and complaints of the product's own mail, which is not in the ledger. */
import type { FeedbackKind } from '../domain/feedback.js';
import type { Bounce } from '../../delivery/domain/engagement.js';

export interface ProductMailEvent {
  readonly kind: FeedbackKind | null;
  readonly bounce: Bounce | null;
}

export abstract class ProductMailFeedback {
  /**
   * Handles an event about the first of the candidates that is the product's own mail.
   * @returns false if none is.
   */
  abstract handle(candidates: readonly string[], event: ProductMailEvent): Promise<boolean>;
}
