/** Waiting for what happens in the background, in real time. */

/**
 * How long nothing may change before a wait is given up, in milliseconds. Only what hangs comes to it: it is less
 * than the suite's own guard, so that the failure says what was waited for.
 */
const PATIENCE = 10 * 60_000;

const LONGEST_PAUSE_MS = 100;

/** DATABASE_WAIT_MS of tests: a crowd of requests on a busy machine is answered late, and not refused. */
export const LONG_WAIT_MS = '600000';

/**
 * Looks again and again until a condition holds. What is waited for may take any time while it gets on: give
 * `progress` where it comes about in many pieces.
 * @param progress how far it is; whenever this changes, patience begins anew.
 * @throws Error with `what` when it does not hold and nothing has changed for long.
 */
export async function until(
  what: string,
  holds: () => Promise<boolean> | boolean,
  progress: () => unknown = () => undefined,
): Promise<void> {
  let standing = JSON.stringify(await progress());
  let changedAt = Date.now();
  for (let looks = 1; !(await holds()); looks++) {
    // Counting is dearer than looking: once in a while is enough.
    if (looks % 20 === 0) {
      const now = JSON.stringify(await progress());
      if (now !== standing) changedAt = Date.now();
      standing = now;
    }
    if (Date.now() - changedAt > PATIENCE)
      throw new Error(`Waited in vain until ${what}. How far it came: ${standing ?? 'not told'}.`);
    // Looking costs the machine that is waited for: what takes long is looked at less often.
    await new Promise((resolve) => setTimeout(resolve, Math.min(10 + 2 * looks, LONGEST_PAUSE_MS)));
  }
}
