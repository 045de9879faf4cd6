/** A batch of a queue's rows: the contract between the module that owns the queue and this module. */

/** The result of a batch. */
export interface BatchResult {
  readonly taken: number;
  /**
   * Whether more rows may be waiting. It can be true although fewer rows were taken than the limit allowed, when they
   * would have been too large for one batch.
   */
  readonly more: boolean;
}

/**
 * Takes at most `limit` rows and processes them in one transaction, all or nothing.
 * @param claim is called with the ids of the rows as soon as they are known; the batch awaits it before it changes
 *   anything.
 */
export type ProcessBatch = (
  limit: number,
  claim: (ids: readonly string[]) => Promise<void>,
) => Promise<BatchResult>;
