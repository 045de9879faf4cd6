/** A batch of a queue's rows, as its module does it and as setting aside sees it. */

/** What a batch came to. */
export interface BatchDone {
  readonly taken: number;
  /** Whether more rows may be waiting, also where fewer were taken than the limit allowed: too large for one batch. */
  readonly more: boolean;
}

/**
 * Takes at most `limit` rows and does their work in one transaction, all or nothing.
 * @param hold is told the ids of the rows as soon as they are known, and waited for before anything is done with them.
 */
export type DoBatch = (limit: number, hold: (ids: readonly string[]) => Promise<void>) => Promise<BatchDone>;
