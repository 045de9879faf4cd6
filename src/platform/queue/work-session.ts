/**
 * Decides when batch work should stop: at shutdown, so that the process ends between batches, and at the end of a time
 * slice, so that one tenant's backlog does not delay other tenants.
 */
import { Injectable, type OnModuleDestroy } from '@nestjs/common';

/** Time slice of one job for one tenant, in milliseconds of real time. */
const TIME_SLICE_MS = 5_000;

@Injectable()
export class WorkSession implements OnModuleDestroy {
  private readonly shutdown = new AbortController();

  /** Aborts when the process shuts down. */
  get signal(): AbortSignal {
    return this.shutdown.signal;
  }

  /** Starts a time slice. The returned function tells whether another batch may start. */
  timeSlice(): () => boolean {
    const until = performance.now() + TIME_SLICE_MS;
    return () => !this.shutdown.signal.aborted && performance.now() < until;
  }

  onModuleDestroy(): void {
    this.shutdown.abort();
  }
}
