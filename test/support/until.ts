/** Waiting for what happens in the background, in real time. */

/**
 * Looks again and again until a condition holds.
 * @throws Error with `what` when it does not within the patience given, in milliseconds.
 */
export async function until(
  what: string,
  holds: () => Promise<boolean> | boolean,
  patience = 20_000,
): Promise<void> {
  const end = Date.now() + patience;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`Waited in vain until ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}
