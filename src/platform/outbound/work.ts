/**
 * The kinds of outgoing requests. Each kind has its own limits, and each owner a share of them, so that none starves
 * another.
 */
import { Line, type LineBounds, Lines } from './lines.js';

/** URLs in messages under inspection; calls of platform APIs; files of platforms. */
export type Work = 'inspections' | 'calls' | 'downloads';

export interface WorkBounds {
  readonly process: LineBounds;
  /** Limits per host: an IPv4 address or an IPv6 /64. */
  readonly host: LineBounds;
  readonly names: LineBounds;
}

export type OutboundBounds = Readonly<Record<Work, WorkBounds>>;

/** Maximum wait for a permit, in milliseconds. */
const PATIENCE = 30_000;

export const OUTBOUND_BOUNDS: OutboundBounds = {
  inspections: {
    process: { running: 60, runningOfOne: 20, waiting: 2_000, waitingOfOne: 400, patience: PATIENCE },
    host: { running: 6, runningOfOne: 3, waiting: 1_000, waitingOfOne: 400, patience: PATIENCE },
    names: { running: 40, runningOfOne: 12, waiting: 2_000, waitingOfOne: 400, patience: PATIENCE },
  },
  // A platform is one host for all of its customers, and allows each about ten connections.
  calls: {
    process: { running: 60, runningOfOne: 10, waiting: 1_000, waitingOfOne: 50, patience: PATIENCE },
    host: { running: 40, runningOfOne: 8, waiting: 1_000, waitingOfOne: 50, patience: PATIENCE },
    names: { running: 20, runningOfOne: 8, waiting: 1_000, waitingOfOne: 50, patience: PATIENCE },
  },
  // A download may take very long, but holds only one chunk in memory.
  downloads: {
    process: { running: 50, runningOfOne: 2, waiting: 200, waitingOfOne: 8, patience: PATIENCE },
    host: { running: 50, runningOfOne: 2, waiting: 200, waitingOfOne: 8, patience: PATIENCE },
    names: { running: 50, runningOfOne: 2, waiting: 200, waitingOfOne: 8, patience: PATIENCE },
  },
};

/** The semaphores of one kind of work. */
export class WorkLines {
  readonly everything: Line;
  readonly names: Line;
  readonly hosts: Lines;

  constructor({ process: everything, names, host }: WorkBounds) {
    this.everything = new Line(everything);
    this.names = new Line(names);
    this.hosts = new Lines(host);
  }
}
