/**
 * The embedded default: one command starts the database, mailbox, API and every worker. Services that the operator
 * configures (DATABASE_URL, SMTP_URL or MAIL_PROVIDERS) are used and not started. The application is loaded last, so
 * that an invalid setting is reported immediately.
 */
import 'reflect-metadata';
import { createServer } from 'node:net';
import { ConfigError, type AppConfig } from '../platform/config/config.js';
import { liveTransports } from '../platform/config/mail-transports.js';
import { hostFaultOf } from '../platform/config/host-fault.js';
import { DataDirectory } from '../platform/embedded/data-directory.js';
import { startMailbox } from '../platform/embedded/mailbox/mailbox.js';
import { startEmbeddedPostgres } from '../platform/embedded/postgres-keeper.js';
import type { Demo } from './demo.js';
import { runMain, type Boot } from './run-main.js';
import { completeConfig, START_LOCK_WAIT_MS } from './runtime.js';

await runMain('up', async (boot) => {
  const { config, atEnd } = boot;
  const directory = DataDirectory.open(config.dataDir);
  const lock = await directory.claim('start', START_LOCK_WAIT_MS);
  atEnd(() => lock.release());
  await assertFree({ port: 'PORT', host: 'HOST' }, config.port, config.host);
  const hasMailbox = liveTransports(config).length === 0;
  if (hasMailbox)
    await assertFree({ port: 'MAILBOX_PORT', host: 'MAILBOX_HOST' }, config.mailboxPort, config.mailboxHost);

  const databaseUrl = config.databaseUrl ?? (await startDatabase(boot));
  const mailbox = hasMailbox
    ? await startMailbox({
        dir: directory.mailboxFolder,
        httpPort: config.mailboxPort,
        host: config.mailboxHost,
        names: [new URL(config.baseUrl).hostname],
      })
    : undefined;
  if (mailbox) atEnd(() => mailbox.stop());

  const complete = completeConfig(config, {
    databaseUrl,
    smtpUrl: config.smtpUrl ?? mailbox?.smtpUrl,
    sandboxSmtpUrl: mailbox?.smtpUrl,
    // A database that this process started belongs to it alone.
    isSingleProcess: config.databaseUrl === undefined,
  });
  const { migrateToCurrentSchema: migrateToCurrentSchema } = await import('./current-schema.js');
  const { runtime } = await migrateToCurrentSchema(complete);
  const { assertQueue } = await import('../platform/queue/assert-queue.js');
  await assertQueue(runtime.queue);
  const { startService } = await import('./up-service.js');
  const demo = await startService(boot, runtime, directory.path);
  process.stdout.write(welcome(runtime, mailbox?.httpUrl, demo));
});

async function startDatabase({ config, logger, atEnd, fail }: Boot): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir });
  atEnd(() => postgres.stop());
  postgres.onRestart((reason) => logger.warn({ reason }, 'The database stopped and was restarted'));
  postgres.onExit((reason) => fail(`The database stopped: ${reason}`));
  return postgres.url;
}

/** Reports, before anything starts, that a port is in use or that a host is not on this machine. */
async function assertFree(
  variables: { port: string; host: string },
  port: number,
  host: string,
): Promise<void> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject);
      probe.listen(port, host, resolve);
    });
  } catch (error) {
    const hostFault = hostFaultOf(variables.host, host, error);
    if (hostFault) throw hostFault;
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(
      code === 'EADDRINUSE'
        ? `${variables.port} ${port} is in use: stop the program that uses it, or set another ${variables.port}.`
        : `${variables.port} ${port} on ${host} cannot be used (${code ?? 'unknown'}): set another.`,
    );
  } finally {
    await new Promise((resolve) => probe.close(resolve));
  }
}

function welcome(config: AppConfig, mailboxUrl: string | undefined, demo: Demo | undefined): string {
  const lines = [
    '',
    '  Waypost is ready.',
    '',
    `  API          ${config.baseUrl}`,
    `  Docs         ${config.baseUrl}/docs`,
    `  Playground   ${config.baseUrl}/graphql`,
    ...(mailboxUrl === undefined ? [] : [`  Mailbox      ${mailboxUrl}`]),
  ];
  if (demo) {
    const body = JSON.stringify({
      external_id: 'ada',
      event_name: 'signed_up',
      attributes: { plan: 'pro' },
      contact: { email: 'ada@example.com', first_name: 'Ada' },
    });
    lines.push(
      '',
      `  Demo workspace ${demo.workspaceId}`,
      `  Its API key    ${demo.key}`,
      '',
      '  Your first email, in one line:',
      '',
      `  curl -X POST ${config.baseUrl}/v1/events -H 'Content-Type: application/json' -H 'X-WORKSPACE-ID: ${demo.workspaceId}' -H 'X-API-KEY: ${demo.key}' -d '${body}'`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}
