/** Waits in real time for the results of background work. */

/**
 * Milliseconds without any progress before a wait fails. Only a hang reaches it. It is less than the suite's timeout,
 * so that the failure names the missing condition.
 */
const TIMEOUT_MS = 10 * 60_000;

const LONGEST_PAUSE_MS = 100;

/** DATABASE_WAIT_MS of tests: on a busy machine, many concurrent requests are answered late instead of refused. */
export const LONG_WAIT_MS = '600000';

/**
 * Checks repeatedly until a condition holds. A wait may take any time while it makes progress: pass `progress` if the
 * condition is reached in many small steps.
 * @param progress the current progress; each change restarts the timeout.
 * @throws Error with `what` when the condition does not hold and nothing has changed for too long.
 */
export async function until(
  what: string,
  holds: () => Promise<boolean> | boolean,
  progress: () => unknown = () => undefined,
): Promise<void> {
  let standing = JSON.stringify(await progress());
  let changedAt = Date.now();
  for (let looks = 1; !(await holds()); looks++) {
    // Reading the progress costs more than the check, so it runs only every 20th time.
    if (looks % 20 === 0) {
      const now = JSON.stringify(await progress());
      if (now !== standing) changedAt = Date.now();
      standing = now;
    }
    if (Date.now() - changedAt > TIMEOUT_MS)
      throw new Error(`Waited in vain until ${what}. How far it came: ${standing ?? 'not told'}.`);
    // Checks load the machine under test, so the pauses between them grow.
    await new Promise((resolve) => setTimeout(resolve, Math.min(10 + 2 * looks, LONGEST_PAUSE_MS)));
  }
}
