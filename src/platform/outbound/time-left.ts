/** The total time of a request over all of its redirects. Waiting for a permit does not count. */
import { OutboundError } from './outbound-error.js';

export class TimeLeft {
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
    const ending = new AbortController();
    const stop = (): void => ending.abort(new OutboundError('aborted', 'The request was cancelled.'));
    const alarm = setTimeout(
      () => ending.abort(new OutboundError('timeout', 'The time limit was reached.')),
      Math.max(0, this.left),
    );
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    const begun = performance.now();
    try {
      const ended = new Promise<never>((_, reject) => {
        const give = (): void => reject(ending.signal.reason as OutboundError);
        if (ending.signal.aborted) give();
        else ending.signal.addEventListener('abort', give, { once: true });
      });
      return await Promise.race([ended, work(ending.signal)]);
    } finally {
      this.left -= performance.now() - begun;
      clearTimeout(alarm);
      signal.removeEventListener('abort', stop);
    }
  }
}
