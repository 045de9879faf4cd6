/** Prints a measurement for the person who reads the test output; no result depends on it. */

export function figure(text: string): void {
  process.stderr.write(`    ${text}\n`);
}
