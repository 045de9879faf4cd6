/** Production entry point: the API only, REST and GraphQL. Any number of instances may run. */
import 'reflect-metadata';
import { drain } from '../platform/http/drain.js';
import { assertQueue } from '../platform/queue/assert-queue.js';
import { ApiModule } from './api.module.js';
import { migrateToCurrentSchema } from './current-schema.js';
import { runMain } from './run-main.js';
import { attachedConfig } from './runtime.js';
import { SCHEMA } from './schema.js';
import { createApp } from './serve.js';

await runMain('api', async ({ config, logger, atEnd }) => {
  const { runtime } = await migrateToCurrentSchema(attachedConfig(config));
  await assertQueue(runtime.queue);
  const app = await createApp(ApiModule.register({ config: runtime, logger, schema: SCHEMA }), logger);
  atEnd(() => drain(app));
  await app.listen(runtime.port, runtime.host);
  logger.info({ url: runtime.baseUrl }, 'The API is ready');
});
