/**
 * The kinds of outgoing requests. Each kind has its own limits, and each owner a share of them, so that none starves
 * another.
 */
import { RequestLimiter, type RequestLimits, RequestLimiters } from './request-limiter.js';

/** URLs in messages under inspection; calls of platform APIs; files of platforms. */
export type Work = 'inspections' | 'calls' | 'downloads';

export interface WorkBounds {
  readonly process: RequestLimits;
  /** Limits per host: an IPv4 address or an IPv6 /64. */
  readonly host: RequestLimits;
  readonly names: RequestLimits;
}

export type OutboundBounds = Readonly<Record<Work, WorkBounds>>;

/** Maximum wait for a permit, in milliseconds. */
const MAX_WAIT_MS = 30_000;

export const OUTBOUND_BOUNDS: OutboundBounds = {
  inspections: {
    process: {
      running: 60,
      runningPerOwner: 20,
      waiting: 2_000,
      waitingPerOwner: 400,
      maxWaitMs: MAX_WAIT_MS,
    },
    host: { running: 6, runningPerOwner: 3, waiting: 1_000, waitingPerOwner: 400, maxWaitMs: MAX_WAIT_MS },
    names: { running: 40, runningPerOwner: 12, waiting: 2_000, waitingPerOwner: 400, maxWaitMs: MAX_WAIT_MS },
  },
  // A platform is one host for all of its customers, and allows each about ten connections.
  calls: {
    process: {
      running: 60,
      runningPerOwner: 10,
      waiting: 1_000,
      waitingPerOwner: 50,
      maxWaitMs: MAX_WAIT_MS,
    },
    host: { running: 40, runningPerOwner: 8, waiting: 1_000, waitingPerOwner: 50, maxWaitMs: MAX_WAIT_MS },
    names: { running: 20, runningPerOwner: 8, waiting: 1_000, waitingPerOwner: 50, maxWaitMs: MAX_WAIT_MS },
  },
  // A download may take very long, but holds only one chunk in memory.
  downloads: {
    process: { running: 50, runningPerOwner: 2, waiting: 200, waitingPerOwner: 8, maxWaitMs: MAX_WAIT_MS },
    host: { running: 50, runningPerOwner: 2, waiting: 200, waitingPerOwner: 8, maxWaitMs: MAX_WAIT_MS },
    names: { running: 50, runningPerOwner: 2, waiting: 200, waitingPerOwner: 8, maxWaitMs: MAX_WAIT_MS },
  },
};

/** The semaphores of one kind of work. */
export class WorkLimiters {
  readonly everything: RequestLimiter;
  readonly names: RequestLimiter;
  readonly hosts: RequestLimiters;

  constructor({ process: everything, names, host }: WorkBounds) {
    this.everything = new RequestLimiter(everything);
    this.names = new RequestLimiter(names);
    this.hosts = new RequestLimiters(host);
  }
}
