/** Figures that a test has seen, for the reader of its run; nothing depends on them. */

export function figure(text: string): void {
  process.stderr.write(`    ${text}\n`);
}
