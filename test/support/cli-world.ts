/** The environment of command-line commands in tests: no progress display, and no streamed input files. */
import type { CliContext } from '../../src/processes/cli/command.js';

export const UNWATCHED: Pick<CliContext, 'readBytes' | 'watcher'> = {
  readBytes: () => {
    throw new Error('No file is read as it comes.');
  },
  watcher: { show: () => undefined, onInterrupt: () => () => undefined },
};
