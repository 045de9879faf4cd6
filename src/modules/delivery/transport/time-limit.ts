/** A signal that aborts after a time, or with another signal. It must be ended: a pending timer keeps memory. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  readonly abort: () => void;
  readonly end: () => void;
}

/** @param milliseconds in milliseconds. */
export function startTimeLimit(milliseconds: number, other: AbortSignal | undefined): TimeLimit {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const timer = setTimeout(abort, milliseconds);
  timer.unref();
  if (other?.aborted) abort();
  other?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    abort,
    end: () => {
      clearTimeout(timer);
      other?.removeEventListener('abort', abort);
    },
  };
}
