/** The operator's command line: JSON, or a drawing, on standard output, logs on standard error, exit code 0 or 1; 128 and its number where a signal ended it. */
import 'reflect-metadata';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { firstBytes } from './cli/first-bytes.js';
import { bytesOf } from './cli/read-from.js';
import { watcherOn } from './cli/watcher.js';
import { NestFactory } from '@nestjs/core';
import { NestLogger } from '../platform/logging/logger.js';
import { CliModule } from './cli/cli.module.js';
import { PlainText } from './cli/command.js';
import { runCommand } from './cli/commands.js';
import { bringToPresentSchema } from './present-schema.js';
import { runMain } from './run-main.js';
import { operatorConfig } from './runtime.js';
import { SCHEMA } from './schema.js';

await runMain(
  'cli',
  async (boot) => {
    const { config, logger, finish } = boot;
    const migrated = async (): Promise<readonly string[]> => bringToPresentSchema(await operatorConfig(boot));
    const answer = await runCommand(process.argv.slice(2), {
      config,
      now: () => new Date(),
      readText: (file) => (file === '-' ? text(process.stdin) : readFile(file, 'utf8')),
      readBytes: bytesOf,
      watcher: watcherOn(process.stderr, boot.atEnd),
      readInput: (most) => firstBytes(process.stdin, most),
      migrate: migrated,
      withServices: async (work) => {
        await migrated();
        const app = await NestFactory.createApplicationContext(
          CliModule.register({ config: await operatorConfig(boot), logger, schema: SCHEMA, poolSize: 2 }),
          { logger: new NestLogger(logger), abortOnError: false },
        );
        try {
          return await work(app);
        } finally {
          await app.close();
        }
      },
    });
    process.stdout.write(answer instanceof PlainText ? answer.text : `${JSON.stringify(answer, null, 2)}\n`);
    finish();
  },
  'task',
);
