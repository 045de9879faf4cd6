/** Whoever watches a command, on standard error: a line that changes on a terminal, one line after the other elsewhere. */
import type { Watcher } from './command.js';

/** Back to the beginning of the line, which is emptied. */
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
