/** The total time of a request over all of its redirects. Waiting for a permit does not count. */
import { OutboundError } from './outbound-error.js';

export class TimeBudget {
  private left: number;

  /** @param milliseconds of real time. */
  constructor(milliseconds: number) {
    this.left = milliseconds;
  }

  /**
   * Does a part of the work, which is aborted when the time is up or the signal aborts.
   * @param work receives a signal whose reason is an OutboundError, timeout or aborted.
   * @throws that reason, or any error of `work`.
   */
  async spend<Result>(signal: AbortSignal, work: (ending: AbortSignal) => Promise<Result>): Promise<Result> {
    const controller = new AbortController();
    const stop = (): void => controller.abort(new OutboundError('aborted', 'The request was cancelled.'));
    const timer = setTimeout(
      () => controller.abort(new OutboundError('timeout', 'The time limit was reached.')),
      Math.max(0, this.left),
    );
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    const startedAt = performance.now();
    try {
      const ended = new Promise<never>((_, reject) => {
        const fail = (): void => reject(controller.signal.reason as OutboundError);
        if (controller.signal.aborted) fail();
        else controller.signal.addEventListener('abort', fail, { once: true });
      });
      return await Promise.race([ended, work(controller.signal)]);
    } finally {
      this.left -= performance.now() - startedAt;
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }
}
