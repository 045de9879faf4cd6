/** Waits for work that may have no end: something is looked at again and again meanwhile, and in the end it is given up. */

export interface Beats {
  /** Milliseconds between two looks. */
  readonly each: number;
  /** Looks after which the work is given up. */
  readonly most: number;
}

/** The work took too long; whoever began it ends it. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp';
}

/** @throws GivenUp; whatever the work or a look throws, which ends the wait at once. */
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
