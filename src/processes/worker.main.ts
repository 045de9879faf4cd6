/** Production entry point: a worker process for the named queues, or for all queues if none are named. */
import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { NestFactory } from '@nestjs/core';
import { ConfigError } from '../platform/config/config.js';
import { liveTransports } from '../platform/config/mail-transports.js';
import { NestLogger } from '../platform/logging/logger.js';
import { assertQueue } from '../platform/queue/assert-queue.js';
import { migrateToCurrentSchema } from './current-schema.js';
import { runMain } from './run-main.js';
import { attachedConfig } from './runtime.js';
import { SCHEMA } from './schema.js';
import { readQueues } from './worker-catalogue.js';
import { WorkerModule } from './worker.module.js';

await runMain('worker', async ({ config, logger, atEnd }) => {
  const { values } = parseArgs({ options: { queues: { type: 'string' } } });
  const queues = readQueues(values.queues);
  const attached = attachedConfig(config);
  if (queues.includes('sends') && liveTransports(attached).length === 0)
    throw new ConfigError(
      'SMTP_URL is missing: a worker that sends email requires it, such as smtp://user:pass@host:587, or ' +
        'MAIL_PROVIDERS.',
    );
  const { runtime } = await migrateToCurrentSchema(attached);
  await assertQueue(runtime.queue);
  const app = await NestFactory.createApplicationContext(
    WorkerModule.register({ config: runtime, logger, schema: SCHEMA }, queues),
    { logger: new NestLogger(logger), abortOnError: false },
  );
  atEnd(() => app.close());
  await app.init();
  logger.info({ queues }, 'The worker is ready');
});
