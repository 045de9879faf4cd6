/**
 * The operator's command line. Prints JSON or a drawing on standard output and logs on standard error. Exits with code
 * 0 or 1, or with 128 plus the signal number if a signal ended it.
 */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { FailedAnswer, PlainText } from './cli/command.js';
import { runCommand } from './cli/commands.js';
import { firstBytes, bytesOf } from './cli/read-from.js';
import { progressDisplayOn } from './cli/progress-display.js';
import { runMain } from './run-main.js';

await runMain(
  'cli',
  async (boot) => {
    const { config, finish } = boot;
    const given = await runCommand(process.argv.slice(2), {
      config,
      now: () => new Date(),
      readText: (file) => (file === '-' ? text(process.stdin) : readFile(file, 'utf8')),
      readBytes: bytesOf,
      watcher: progressDisplayOn(process.stderr, boot.atEnd),
      readInput: (most) => firstBytes(process.stdin, most),
      migrate: async () => (await import('./cli/services.js')).migrate(boot),
      withServices: async (work) => (await import('./cli/services.js')).withServices(boot, work),
    });
    const answer = given instanceof FailedAnswer ? given.answer : given;
    process.stdout.write(answer instanceof PlainText ? answer.text : `${JSON.stringify(answer, null, 2)}\n`);
    finish(given instanceof FailedAnswer ? 1 : 0);
  },
  'task',
);
