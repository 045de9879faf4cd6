/**
 * The store in which the processes of an installation count requests together (section 8.1): PostgreSQL, or Redis if it
 * hosts the queue. Its content is a cache: if it is lost, the windows start empty.
 */
import type { LeaseRequest, LeaseGrant } from './leased-window.js';

export interface RateStore {
  /**
   * Grants requests as far as there is capacity, for each window independently and in one round trip.
   * @param requests for distinct windows.
   * @returns the grants in the order of the asks.
   */
  grant(requests: readonly LeaseRequest[]): Promise<LeaseGrant[]>;
  /** Deletes expired windows, a limited number per call. @returns whether there may be more. */
  sweep(): Promise<boolean>;
  close(): Promise<void>;
}
