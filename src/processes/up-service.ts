/** Runs the API and every worker in one process, with the demo workspace and the playground. */
import type { INestApplicationContext } from '@nestjs/common';
import { LocalIssuer } from '../modules/auth/application/local-issuer.js';
import type { AppConfig, RuntimeConfig } from '../platform/config/config.js';
import {
  isLoopbackName,
  PlaygroundVisitor,
  type VisitorHeaders,
} from '../platform/graphql/playground-visitor.js';
import { drain } from '../platform/http/drain.js';
import { QUEUES } from '../platform/queue/wake-ups.js';
import { ApiModule } from './api.module.js';
import { DEMO_OWNER, openDemo, type Demo } from './demo.js';
import type { Boot } from './run-main.js';
import { SCHEMA } from './schema.js';
import { createApp } from './serve.js';

/**
 * Starts the service; it listens when the promise resolves.
 * @param dataFolder stores the demo workspace's key.
 * @returns the demo workspace, if there is one.
 */
export async function startService(
  { config, logger, atEnd }: Boot,
  runtime: RuntimeConfig,
  dataFolder: string,
): Promise<Demo | undefined> {
  const app = await createApp(
    ApiModule.register({ config: runtime, logger, schema: SCHEMA }, QUEUES),
    logger,
  );
  atEnd(() => drain(app, { notReadyMs: 0, forceCloseAfterMs: 6_000 }));
  await app.init();
  // The output of a production start must not contain a key that can send.
  const demo = config.production ? undefined : await openDemo(app, dataFolder);
  if (demo && isForThisMachine(config))
    app.get(PlaygroundVisitor, { strict: false }).offer(() => asDemoOwner(app, demo));
  await app.listen(runtime.port, runtime.host);
  return demo;
}

/** Whether everything runs on the embedded defaults, which only this machine can reach. */
function isForThisMachine({ production, identityProvider, databaseUrl, baseUrl }: AppConfig): boolean {
  return !production && !identityProvider && !databaseUrl && isLoopbackName(new URL(baseUrl).host);
}

/** The headers of the playground's requests: a token of the demo's owner, valid for a day. */
async function asDemoOwner(app: INestApplicationContext, demo: Demo): Promise<VisitorHeaders> {
  const issuer = app.get(LocalIssuer, { strict: false });
  const { token } = await issuer.issue({ email: DEMO_OWNER }, 24, new Date());
  return { 'X-WORKSPACE-ID': demo.workspaceId, Authorization: `Bearer ${token}` };
}
