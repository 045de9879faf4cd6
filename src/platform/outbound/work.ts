/**
 * What is fetched outside, by kinds: each has lines and bounds of its own, and an owner a share of each, so that none
 * starves another.
 */
import { Line, type LineBounds, Lines } from './lines.js';

/** Addresses of messages that are looked at; calls of platforms' APIs; files of theirs. */
export type Work = 'inspections' | 'calls' | 'downloads';

export interface WorkBounds {
  readonly process: LineBounds;
  /** To one host: an address of IPv4, or a household of IPv6. */
  readonly host: LineBounds;
  readonly names: LineBounds;
}

export type OutboundBounds = Readonly<Record<Work, WorkBounds>>;

/** Milliseconds that one waits for a turn. */
const PATIENCE = 30_000;

export const OUTBOUND_BOUNDS: OutboundBounds = {
  inspections: {
    process: { running: 60, runningOfOne: 20, waiting: 2_000, waitingOfOne: 400, patience: PATIENCE },
    host: { running: 6, runningOfOne: 3, waiting: 1_000, waitingOfOne: 400, patience: PATIENCE },
    names: { running: 40, runningOfOne: 12, waiting: 2_000, waitingOfOne: 400, patience: PATIENCE },
  },
  // A platform is one host to all of its customers, and allows each about ten connections.
  calls: {
    process: { running: 60, runningOfOne: 10, waiting: 1_000, waitingOfOne: 50, patience: PATIENCE },
    host: { running: 40, runningOfOne: 8, waiting: 1_000, waitingOfOne: 50, patience: PATIENCE },
    names: { running: 20, runningOfOne: 8, waiting: 1_000, waitingOfOne: 50, patience: PATIENCE },
  },
  // Each may take very long, while a piece of it alone is in memory.
  downloads: {
    process: { running: 50, runningOfOne: 2, waiting: 200, waitingOfOne: 8, patience: PATIENCE },
    host: { running: 50, runningOfOne: 2, waiting: 200, waitingOfOne: 8, patience: PATIENCE },
    names: { running: 50, runningOfOne: 2, waiting: 200, waitingOfOne: 8, patience: PATIENCE },
  },
};

/** The lines of one kind of work. */
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
