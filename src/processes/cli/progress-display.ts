/** Shows the progress of a command on standard error: one updated line on a terminal, separate lines elsewhere. */
import type { ProgressDisplay } from './command.js';

/** Moves to the start of the line and clears it. */
const CLEAR_LINE = '\r\u001b[K';

export function progressDisplayOn(
  output: Pick<NodeJS.WriteStream, 'write' | 'isTTY'>,
  atEnd: (cleanup: () => Promise<void> | void) => void,
): ProgressDisplay {
  let last = '';
  let interruptMessage: (() => string) | undefined;
  const closeLine = (): void => {
    if (output.isTTY && last !== '') output.write('\n');
    last = '';
  };
  atEnd(() => {
    closeLine();
    if (interruptMessage) output.write(`${interruptMessage()}\n`);
  });
  return {
    show: (line) => {
      if (line === last) return;
      output.write(output.isTTY ? `${CLEAR_LINE}${line}` : `${line}\n`);
      last = line;
    },
    onInterrupt: (message) => {
      interruptMessage = message;
      return () => {
        interruptMessage = undefined;
        closeLine();
      };
    },
  };
}
