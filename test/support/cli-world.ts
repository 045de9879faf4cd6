/** The world of commands in tests that nobody watches, and that read no file as it comes. */
import type { CliWorld } from '../../src/processes/cli/command.js';

export const UNWATCHED: Pick<CliWorld, 'readBytes' | 'watcher'> = {
  readBytes: () => {
    throw new Error('No file is read as it comes.');
  },
  watcher: { show: () => undefined, ifEnded: () => () => undefined },
};
