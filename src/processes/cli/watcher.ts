/** Shows the progress of a command on standard error: one updated line on a terminal, separate lines elsewhere. */
import type { Watcher } from './command.js';

/** Moves to the start of the line and clears it. */
const ANEW = '\r\u001b[K';

export function watcherOn(
  output: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>,
  atEnd: (undo: () => Promise<void> | void) => void,
): Watcher {
  let last = '';
  let words: (() => string) | undefined;
  const closeLine = (): void => {
    if (output.isTTY && last !== '') output.write('\n');
    last = '';
  };
  atEnd(() => {
    closeLine();
    if (words) output.write(`${words()}\n`);
  });
  return {
    show: (line) => {
      if (line === last) return;
      output.write(output.isTTY ? `${ANEW}${line}` : `${line}\n`);
      last = line;
    },
    ifEnded: (told) => {
      words = told;
      return () => {
        words = undefined;
        closeLine();
      };
    },
  };
}
