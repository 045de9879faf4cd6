/** Opens the database and the services for a command. Loaded only by commands that use them. */
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { NestLogger } from '../../platform/logging/logger.js';
import { migrateToCurrentSchema } from '../current-schema.js';
import type { Boot } from '../run-main.js';
import { operatorConfig } from '../runtime.js';
import { SCHEMA } from '../schema.js';
import { CliModule } from './cli.module.js';
import type { Services } from './seed.js';

/** Migrates the database to the current schema. Returns the names of the migrations that it applied. */
export async function migrate(boot: Boot): Promise<readonly string[]> {
  return (await migrateToCurrentSchema(await operatorConfig(boot))).applied;
}

/** Opens the services for `work` and closes them afterwards. */
export async function withServices<Result>(
  boot: Boot,
  work: (services: Services) => Promise<Result>,
): Promise<Result> {
  const { runtime } = await migrateToCurrentSchema(await operatorConfig(boot));
  const { logger } = boot;
  const app = await NestFactory.createApplicationContext(
    CliModule.register({ config: runtime, logger, schema: SCHEMA, poolSize: 2 }),
    { logger: new NestLogger(logger), abortOnError: false },
  );
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}
