/** The API with every worker in one process, its demo workspace and its playground. */
import type { INestApplicationContext } from '@nestjs/common';
import { LocalIssuer } from '../modules/auth/application/local-issuer.js';
import type { AppConfig, RuntimeConfig } from '../platform/config/config.js';
import {
  isLoopbackName,
  PlaygroundVisitor,
  type VisitorHeaders,
} from '../platform/graphql/playground-visitor.js';
import { drain } from '../platform/http/drain.js';
import { ApiModule } from './api.module.js';
import { DEMO_OWNER, openDemo, type Demo } from './demo.js';
import type { Boot } from './run-main.js';
import { SCHEMA } from './schema.js';
import { createApp } from './serve.js';
import { QUEUES } from './worker-catalogue.js';

/**
 * Listens when it resolves.
 * @param dataFolder where the demo workspace is noted.
 * @returns the demo workspace, where there is one.
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
  atEnd(() => drain(app, { notReadyMs: 0, cutAfterMs: 6_000 }));
  await app.init();
  // Whoever reads the output of a production start must not find a key that sends.
  const demo = config.production ? undefined : await openDemo(app, dataFolder);
  if (demo && isForThisMachine(config))
    app.get(PlaygroundVisitor, { strict: false }).offer(() => asDemoOwner(app, demo));
  await app.listen(runtime.port, runtime.host);
  return demo;
}

/** Whether all of it is the embedded default, which nobody else is meant to reach. */
function isForThisMachine({ production, identityProvider, databaseUrl, baseUrl }: AppConfig): boolean {
  return !production && !identityProvider && !databaseUrl && isLoopbackName(new URL(baseUrl).host);
}

/** What the playground asks with: the demo's owner, for a day. */
async function asDemoOwner(app: INestApplicationContext, demo: Demo): Promise<VisitorHeaders> {
  const issuer = app.get(LocalIssuer, { strict: false });
  const { token } = await issuer.issue({ email: DEMO_OWNER }, 24, new Date());
  return { 'X-WORKSPACE-ID': demo.workspaceId, Authorization: `Bearer ${token}` };
}
