/** Waits for work that may never end, with a periodic check and a limit after which the wait is given up. */

export interface HeartbeatOptions {
  /** Milliseconds between two checks. */
  readonly intervalMs: number;
  /** The number of checks after which the wait is given up. */
  readonly maxBeats: number;
}

/** The work took too long. The caller that started it must end it. */
export class HeartbeatTimeoutError extends Error {
  override readonly name = 'HeartbeatTimeoutError';
}

/** @throws HeartbeatTimeoutError; any error of the work or of a check, which ends the wait immediately. */
export async function withHeartbeat<Result>(
  work: Promise<Result>,
  { intervalMs, maxBeats }: HeartbeatOptions,
  onBeat: () => Promise<void>,
): Promise<Result> {
  const done = work.then((result) => ({ result }));
  for (let beats = 0; beats < maxBeats; beats++) {
    const ended = await within(intervalMs, done);
    if (ended) return ended.result;
    await onBeat();
  }
  throw new HeartbeatTimeoutError('The heartbeat timed out.');
}

async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)));
  try {
    return await Promise.race([work, timeout.then(() => undefined)]);
  } finally {
    clearTimeout(timer);
  }
}
