/** Waits for work that may never end, with a periodic check and a limit after which the wait is given up. */

export interface Beats {
  /** Milliseconds between two checks. */
  readonly each: number;
  /** The number of checks after which the wait is given up. */
  readonly most: number;
}

/** The work took too long. The caller that started it must end it. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp';
}

/** @throws GivenUp; any error of the work or of a check, which ends the wait immediately. */
export async function whileBeating<Result>(
  work: Promise<Result>,
  { each, most }: Beats,
  look: () => Promise<void>,
): Promise<Result> {
  const done = work.then((result) => ({ result }));
  for (let looks = 0; looks < most; looks++) {
    const ended = await within(each, done);
    if (ended) return ended.result;
    await look();
  }
  throw new GivenUp('The heartbeat timed out.');
}

async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)));
  try {
    return await Promise.race([work, over.then(() => undefined)]);
  } finally {
    clearTimeout(timer);
  }
}
